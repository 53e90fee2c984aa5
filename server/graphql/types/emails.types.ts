import { Field, ID, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType("Letter", { description: "A letter of a blog that has no mail server." })
class Email {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  recipient!: string;

  @Field(() => String)
  subject!: string;

  @Field(() => String)
  text!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: "When it was put into the outbox." })
  sentAt!: Date | null;
}

export const EmailConnection = connectionOf("Letter", () => Email);
