import { Field, InputType, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { lengthOf, TAGS_DESCRIPTION } from "./lengths.ts";
import { Node } from "./nodes.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType({ implements: Node, simpleResolvers: true })
export class Post extends Node {
  @Field(() => String)
  title!: string;

  @Field(() => String, { description: "The text as it was written, in Markdown (see `descriptionHtml`)." })
  description!: string;

  @Field(() => String, { description: "The title of its category; kept when the category is deleted." })
  category!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

export const PostConnection = connectionOf("Post", () => Post);

@InputType()
export class PostInput {
  @Field(() => String, { description: `${lengthOf("title")}.` })
  title!: string;

  @Field(() => String, { description: `${lengthOf("description")}.` })
  description!: string;

  @Field(() => String, { description: "The title of an existing category." })
  category!: string;

  @Field(() => [String], { nullable: true, description: TAGS_DESCRIPTION })
  tags?: string[] | null;
}

@InputType()
export class PostChanges {
  @Field(() => String, { nullable: true })
  title?: string;

  @Field(() => String, { nullable: true })
  description?: string;

  @Field(() => String, { nullable: true })
  category?: string;

  @Field(() => [String], {
    nullable: true,
    description: `${TAGS_DESCRIPTION} Left out, the post keeps its tags.`,
  })
  tags?: string[] | null;
}
