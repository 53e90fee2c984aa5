import {
  getArgumentValues,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from "graphql";
import { sliceOfComments } from "../domain/comments.ts";
import type { Slice, Wanted } from "../reads.ts";

/** What the document asks of each post below this field, so that one statement reads all of it. */
export function wantedOf(info: GraphQLResolveInfo): Wanted {
  const below = info.fieldNodes.flatMap((node) => fieldsIn(info, node.selectionSet));
  return wantedBy(info, below);
}

/** The same for a field that answers a list of posts. */
export function wantedOfNodes(info: GraphQLResolveInfo): Wanted {
  const below = info.fieldNodes.flatMap((node) => fieldsIn(info, node.selectionSet));
  const nodes = below.flatMap((field) =>
    field.name.value === "edges"
      ? fieldsIn(info, field.selectionSet).filter((each) => each.name.value === "node")
      : field.name.value === "nodes"
        ? [field]
        : [],
  );
  return wantedBy(
    info,
    nodes.flatMap((node) => fieldsIn(info, node.selectionSet)),
  );
}

function wantedBy(info: GraphQLResolveInfo, fields: FieldNode[]): Wanted {
  const names = new Set(fields.map((field) => field.name.value));
  const comments = fields.filter((field) => field.name.value === "comments");
  // Asked for twice, in two windows perhaps, they are read by themselves.
  const slice = comments.length === 1 && comments[0] ? sliceOfField(info, comments[0]) : null;
  return {
    ...(names.has("user") && { author: true }),
    ...(names.has("likes") && { likers: true }),
    ...(names.has("likeCount") && { likeCount: true }),
    ...(names.has("commentCount") && { commentCount: true }),
    ...(slice && { comments: slice }),
  };
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
