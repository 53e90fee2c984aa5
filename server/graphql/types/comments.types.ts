import { Field, ID, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType({ simpleResolvers: true })
export class Comment {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  text!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

export const CommentConnection = connectionOf("Comment", () => Comment);
