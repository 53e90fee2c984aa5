import { Field, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { Node } from "./nodes.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType({ implements: Node, simpleResolvers: true })
export class Comment extends Node {
  @Field(() => String)
  text!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

export const CommentConnection = connectionOf("Comment", () => Comment);
