import { isAbstractType, type GraphQLSchema } from "graphql";

/** Reads types of interfaces and unions from the rows: for promises, which TypeGraphQL makes, graphql-jit does not wait. */
export function resolveTypesByName(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isAbstractType(type)) type.resolveType = ({ __typename }: { __typename: string }) => __typename;
  return schema;
}
