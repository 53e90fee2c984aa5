import { isObjectType, type GraphQLSchema } from "graphql";
import { Extensions } from "type-graphql";
import type { Comment, ComputedField, Post } from "../domain/post-selection.ts";

type Part = ComputedField | "author";
type Prefetch = { part: Part; read: (part: never) => unknown };

/**
 * Marks a field resolver whose value may come with its row, because the statement that reads the row reads it along
 * (selection.ts). The resolver answers for rows without it.
 * @param part of the row
 * @param read takes the value from that part; the part itself by default
 */
export const Prefetched = <P extends Part>(
  part: P,
  read: (part: NonNullable<(Post & Comment)[P]>) => unknown = (value) => value,
) => Extensions({ prefetched: { part, read } satisfies Prefetch });

/** The part of a post that a field shows, where it is marked so. */
export function prefetchedPart(
  schema: GraphQLSchema,
  type: "Post" | "Comment",
  field: string,
): Part | undefined {
  return prefetchOf(schema, type, field)?.part;
}

function prefetchOf(schema: GraphQLSchema, type: string, field: string) {
  const object = schema.getType(type);
  if (!isObjectType(object)) throw new Error(`there is no type ${type}`);
  return object.getFields()[field]?.extensions["prefetched"] as Prefetch | undefined;
}

/**
 * Answers marked fields from their rows, synchronously: TypeGraphQL makes a promise for each call of a field resolver,
 * and a list of posts has hundreds.
 */
export function answerFromRows(schema: GraphQLSchema): GraphQLSchema {
  for (const type of ["Post", "Comment"]) {
    const object = schema.getType(type);
    if (!isObjectType(object)) throw new Error(`there is no type ${type}`);
    for (const field of Object.values(object.getFields())) {
      const { resolve } = field;
      const prefetch = prefetchOf(schema, type, field.name);
      if (!prefetch || !resolve) continue;
      const { part, read } = prefetch;
      field.resolve = (row: Record<Part, never>, args, context, info) =>
        row[part] == null ? resolve(row, args, context, info) : read(row[part]);
    }
  }
  return schema;
}
