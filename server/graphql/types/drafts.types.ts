import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType({
  simpleResolvers: true,
  description: "A text that its author is writing; nobody else can see it. Its texts may be empty.",
})
export class Draft {
  @Field(() => ID)
  id!: string;

  @Field(() => Int, { description: "Grows with every change; a change names the version that it replaces." })
  version!: number;

  @Field(() => String)
  title!: string;

  @Field(() => String, { description: "The text as it was typed, in Markdown." })
  description!: string;

  @Field(() => String)
  category!: string;

  @Field(() => [String], { description: "As they were typed." })
  tags!: string[];

  @Field(() => String, { description: "The alternative text of its cover picture." })
  alt!: string;

  @Field(() => String, { nullable: true, description: "Why it could not be published at its time." })
  publishError!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it will be published; null for no time." })
  publishAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "The `updatedAt` of the state of its post on which it is based; null for a new post.",
  })
  postUpdatedAt!: Date | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: "A picture that an account has uploaded for its texts and covers.",
})
export class Picture {
  @Field(() => String, { description: "The alternative text; empty for a picture that only decorates." })
  alt!: string;
}

@ObjectType({ simpleResolvers: true, description: "A published state of a post that another has replaced." })
export class Revision {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  title!: string;

  @Field(() => String)
  description!: string;

  @Field(() => String)
  category!: string;

  @Field(() => DateTime, { description: "When this state was published." })
  createdAt!: Date;
}

export const RevisionConnection = connectionOf("Revision", () => Revision);

export const DraftConnection = connectionOf("Draft", () => Draft);

@InputType({ description: "A field that is left out keeps its value; null empties it." })
export class DraftInput {
  @Field(() => String, { nullable: true, description: "200 characters at most." })
  title?: string | null;

  @Field(() => String, { nullable: true, description: "50 000 characters at most." })
  description?: string | null;

  @Field(() => String, { nullable: true, description: "100 characters at most." })
  category?: string | null;

  @Field(() => [String], { nullable: true, description: "20 at most, of 100 characters at most each." })
  tags?: string[] | null;

  @Field(() => ID, { nullable: true, description: "A picture that the account has uploaded: the cover." })
  picture?: string | null;

  @Field(() => String, { nullable: true, description: "500 characters at most." })
  alt?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      "The `updatedAt` of the post that the writer has seen, after a conflict; the draft is based on that state then.",
  })
  postUpdatedAt?: Date | null;
}
