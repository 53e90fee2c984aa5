import {
  getArgumentValues,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from "graphql";
import { sliceOfComments } from "../domain/comments.ts";
import { computedFields, type PostSelection, type Slice } from "../domain/post-selection.ts";
import { prefetchedPart } from "./prefetched.ts";

const fieldsBelow = (info: GraphQLResolveInfo) =>
  info.fieldNodes.flatMap((node) => fieldsIn(info, node.selectionSet));

/** The fields selected of the post below this field, so that one statement reads them all. */
export const selectionOf = memoized((info) => {
  const fields = fieldsBelow(info);
  return { ...selectionBy(info, fields), ...textsBelow(info, fields) };
});

/** The same for a post that is read with others: loaders read their HTML and comments, up to a limit. */
export const batchSelectionOf = memoized((info) => selectionBy(info, fieldsBelow(info)));

/** The same for a connection of posts. */
export const nodeSelectionOf = memoized((info) => selectionBy(info, nodesOf(info, info.fieldNodes)));

/** Memoizes by field node (plans keep theirs), unless the selection depends on a variable. */
function memoized(
  find: (info: GraphQLResolveInfo) => PostSelection,
): (info: GraphQLResolveInfo) => PostSelection {
  const cache = new WeakMap<FieldNode, PostSelection>();
  return (info) => {
    const [field, ...others] = info.fieldNodes;
    // One spread of a fragment may merge its field with another, which another spread does not.
    const isAlone = others.length === 0;
    const cached = field && isAlone && cache.get(field);
    if (cached) return cached;
    let isFixed = isAlone;
    const markVariable = () => void (isFixed = false);
    const variableValues = new Proxy(info.variableValues, {
      get: (values, name) => (markVariable(), Reflect.get(values, name)),
      getOwnPropertyDescriptor: (values, name) => (
        markVariable(),
        Reflect.getOwnPropertyDescriptor(values, name)
      ),
    });
    const selection = find({ ...info, variableValues });
    if (field && isFixed) cache.set(field, selection);
    return selection;
  };
}

function nodesOf(info: GraphQLResolveInfo, lists: readonly FieldNode[]): FieldNode[] {
  const below = lists.flatMap((node) => fieldsIn(info, node.selectionSet));
  const nodes = below.flatMap((field) =>
    field.name.value === "edges"
      ? fieldsIn(info, field.selectionSet).filter((each) => each.name.value === "node")
      : field.name.value === "nodes"
        ? [field]
        : [],
  );
  return nodes.flatMap((node) => fieldsIn(info, node.selectionSet));
}

/** Whether a field of the entries of a connection, besides their nodes, is selected. */
export const selectsOfEdges = (info: GraphQLResolveInfo, name: string): boolean =>
  info.fieldNodes
    .flatMap((list) => fieldsIn(info, list.selectionSet))
    .filter((field) => field.name.value === "edges")
    .some((edges) => namesOf(fieldsIn(info, edges.selectionSet)).has(name));

const namesOf = (fields: FieldNode[]) => new Set(fields.map((field) => field.name.value));

function selectionBy(info: GraphQLResolveInfo, fields: FieldNode[]): PostSelection {
  const names = namesOf(fields);
  return {
    ...(["description", "excerpt", ...rendered].some((name) => names.has(name)) && {
      description: true,
    }),
    ...(names.has("image") && { image: true }),
    ...authorOf(info, fields),
    ...computedOf(info.schema, names),
  };
}

function textsBelow(info: GraphQLResolveInfo, fields: FieldNode[]): PostSelection {
  const names = namesOf(fields);
  const comments = fields.filter((field) => field.name.value === "comments");
  // Two aliases may have different arguments: loaders read those.
  const slice = comments.length === 1 && comments[0] ? sliceOfField(info, comments[0]) : null;
  return {
    ...(rendered.some((name) => names.has(name)) && { html: true }),
    ...(slice && { comments: { ...slice, ...authorOf(info, nodesOf(info, comments)) } }),
  };
}

/** Fields of a post that come from its HTML. */
const rendered = ["descriptionHtml", "descriptionText"];

/** The computed fields behind these fields of a post. */
function computedOf(schema: GraphQLSchema, names: Set<string>): PostSelection {
  const parts = [...names].map((name) => prefetchedPart(schema, name));
  return Object.fromEntries(
    computedFields.filter((field) => parts.includes(field)).map((field) => [field, true]),
  );
}

/** Fields of an account for which the author's summary is enough. */
const summaryFields = new Set([
  "__typename",
  "id",
  "username",
  "url",
  "posts",
  "viewerCanEdit",
  "viewerIsFollowing",
]);

function authorOf(info: GraphQLResolveInfo, fields: FieldNode[]): Pick<PostSelection, "author"> {
  const names = namesOf(fields);
  if (!names.has("user") && !names.has("username")) return {};
  const users = fields.filter((field) => field.name.value === "user");
  const userFields = users.flatMap((field) => fieldsIn(info, field.selectionSet));
  const others = userFields.map((field) => field.name.value).filter((name) => !summaryFields.has(name));
  const isByline = others.every((name) => name === "profilePhoto");
  return { author: others.length === 0 ? "summary" : isByline ? "byline" : "full" };
}

function sliceOfField(info: GraphQLResolveInfo, field: FieldNode): Slice | null {
  const post = info.schema.getType("Post");
  const definition = isObjectType(post) ? post.getFields()["comments"] : undefined;
  try {
    return definition ? sliceOfComments(getArgumentValues(definition, field, info.variableValues)) : null;
  } catch {
    // The arguments are invalid: the field's resolver reports that, with its path.
    return null;
  }
}

/** @param visited the fragments that were spread here before: nested spreads of both would take exponential time */
function fieldsIn(
  info: GraphQLResolveInfo,
  selectionSet: SelectionSetNode | undefined,
  visited = new Set<string>(),
): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsIn(info, selection.selectionSet, visited);
    const name = selection.name.value;
    if (visited.has(name)) return [];
    visited.add(name);
    return fieldsIn(info, info.fragments[name]?.selectionSet, visited);
  });
}
