import { ArgsType, Field, Int, ObjectType } from "type-graphql";
import { connectionOf, PageArgs } from "./connections.types.ts";
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

@ArgsType()
export class CommentPageArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      "Ends the page before its texts have more characters than these together, at least 1; a single comment may have more. For the first page, and behind a cursor.",
  })
  characters?: number;
}

export const CommentConnection = connectionOf("Comment", () => Comment);
