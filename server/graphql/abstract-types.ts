import { isAbstractType, type GraphQLSchema } from "graphql";

/**
 * Reads the type of an interface's or union's row from its `__typename`. Synchronously: graphql-jit does not wait for the
 * promises that TypeGraphQL's `resolveType` makes.
 */
export function resolveTypesByName(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isAbstractType(type)) type.resolveType = ({ __typename }: { __typename: string }) => __typename;
  return schema;
}
