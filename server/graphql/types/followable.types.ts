import { InterfaceType } from "type-graphql";
import { Node } from "./nodes.types.ts";

@InterfaceType({
  implements: Node,
  description: "An author, a category or a tag, whose posts an account can follow.",
  resolveType: ({ __typename }: { __typename: string }) => __typename,
})
export abstract class Followable extends Node {}
