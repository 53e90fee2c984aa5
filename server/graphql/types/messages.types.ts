import { Field, ID, ObjectType } from "type-graphql";

@ObjectType()
export class Message {
  @Field(() => String)
  message!: string;
}

@ObjectType()
export class Deleted extends Message {
  @Field(() => ID)
  id!: string;
}
