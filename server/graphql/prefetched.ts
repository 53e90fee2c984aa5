import { isObjectType, type GraphQLField, type GraphQLSchema } from "graphql";
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

const prefetchOf = (field?: GraphQLField<unknown, unknown>) =>
  field?.extensions["prefetched"] as Prefetch | undefined;

function fieldsOf(schema: GraphQLSchema, type: "Post" | "Comment") {
  const object = schema.getType(type);
  if (!isObjectType(object)) throw new Error(`there is no type ${type}`);
  return object.getFields();
}

/** The part of a post that a field shows, where it is marked so. */
export const prefetchedPart = (schema: GraphQLSchema, postField: string): Part | undefined =>
  prefetchOf(fieldsOf(schema, "Post")[postField])?.part;

/**
 * Answers marked fields from their rows, synchronously: TypeGraphQL makes a promise for each call of a field resolver,
 * and a list of posts has hundreds.
 */
export function resolveFromRows(schema: GraphQLSchema): GraphQLSchema {
  for (const type of ["Post", "Comment"] as const)
    for (const field of Object.values(fieldsOf(schema, type))) {
      const { resolve } = field;
      const prefetch = prefetchOf(field);
      if (!prefetch || !resolve) continue;
      const { part, read } = prefetch;
      field.resolve = (row: Record<Part, never>, args, context, info) =>
        row[part] == null ? resolve(row, args, context, info) : read(row[part]);
    }
  return schema;
}
