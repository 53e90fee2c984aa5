import { Field, ID, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType({ description: "An account as admins see it." })
export class User {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  username!: string;

  @Field(() => String)
  email!: string;

  @Field(() => Boolean)
  isAdmin!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const UserConnection = connectionOf("User", () => User);
