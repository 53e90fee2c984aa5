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

/** What the document asks of each post below this field, so that one statement reads all of it. */
export const selectionOf = remembered((info) =>
  wantedBy(
    info,
    info.fieldNodes.flatMap((node) => fieldsIn(info, node.selectionSet)),
  ),
);

/** The same for a field that answers a list of posts. */
export const wantedOfNodes = remembered((info) => wantedBy(info, nodesOf(info, info.fieldNodes)));

/** Found out once for each field of a document that is kept, unless it hangs on a variable. */
function remembered(
  find: (info: GraphQLResolveInfo) => PostSelection,
): (info: GraphQLResolveInfo) => PostSelection {
  const known = new WeakMap<FieldNode, PostSelection>();
  return (info) => {
    const [field, ...others] = info.fieldNodes;
    // A field of a fragment may stand alone at one place of a document and be merged with another elsewhere.
    const isAlone = others.length === 0;
    const found = field && isAlone && known.get(field);
    if (found) return found;
    let isFixed = isAlone;
    const note = () => void (isFixed = false);
    const variableValues = new Proxy(info.variableValues, {
      get: (values, name) => (note(), Reflect.get(values, name)),
      getOwnPropertyDescriptor: (values, name) => (note(), Reflect.getOwnPropertyDescriptor(values, name)),
    });
    const wanted = find({ ...info, variableValues });
    if (field && isFixed) known.set(field, wanted);
    return wanted;
  };
}

/** What is asked of the rows of a list, as nodes and by its edges. */
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

const namesOf = (fields: FieldNode[]) => new Set(fields.map((field) => field.name.value));

function wantedBy(info: GraphQLResolveInfo, fields: FieldNode[]): PostSelection {
  const names = namesOf(fields);
  const comments = fields.filter((field) => field.name.value === "comments");
  // Asked for twice, in two windows perhaps, they are read by themselves.
  const slice = comments.length === 1 && comments[0] ? sliceOfField(info, comments[0]) : null;
  return {
    ...(["description", "excerpt", "descriptionHtml"].some((name) => names.has(name)) && {
      description: true,
    }),
    ...(names.has("descriptionHtml") && { html: true }),
    ...(names.has("image") && { image: true }),
    ...authorOf(info, fields),
    ...computedOf(info.schema, names),
    ...(slice && { comments: { ...slice, ...authorOf(info, nodesOf(info, comments)) } }),
  };
}

/** The computed fields behind these fields of a post. */
function computedOf(schema: GraphQLSchema, names: Set<string>): PostSelection {
  const parts = [...names].map((name) => prefetchedPart(schema, "Post", name));
  return Object.fromEntries(
    computedFields.filter((field) => parts.includes(field)).map((field) => [field, true]),
  );
}

/** Fields of an account that its name is enough for. */
const naming = new Set(["__typename", "id", "username", "posts", "viewerCanEdit"]);

/** How much of the author these fields of a post or of a comment need. */
function authorOf(info: GraphQLResolveInfo, fields: FieldNode[]): Pick<PostSelection, "author"> {
  const names = namesOf(fields);
  if (!names.has("user") && !names.has("username")) return {};
  const users = fields.filter((field) => field.name.value === "user");
  const asked = users.flatMap((field) => fieldsIn(info, field.selectionSet));
  return { author: asked.every((field) => naming.has(field.name.value)) ? "name" : "whole" };
}

function sliceOfField(info: GraphQLResolveInfo, field: FieldNode): Slice | null {
  const post = info.schema.getType("Post");
  const definition = isObjectType(post) ? post.getFields()["comments"] : undefined;
  try {
    return definition ? sliceOfComments(getArgumentValues(definition, field, info.variableValues)) : null;
  } catch {
    // A window that cannot be: the field itself will say so, at its place in the answer.
    return null;
  }
}

function fieldsIn(info: GraphQLResolveInfo, selectionSet: SelectionSetNode | undefined): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value];
    return fieldsIn(info, fragment?.selectionSet);
  });
}
