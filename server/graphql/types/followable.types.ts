import { InterfaceType } from "type-graphql";
import { Node } from "./nodes.types.ts";

@InterfaceType({
  implements: Node,
  description: "An author, a category or a tag, whose posts an account can follow.",
})
export abstract class Followable extends Node {}
