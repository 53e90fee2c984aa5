import { Field, ID, InputType, ObjectType } from "type-graphql";
import { DateTime } from "./scalars.ts";

@ObjectType({ description: "The account that is signed in." })
export class Viewer {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  username!: string;

  @Field(() => String)
  email!: string;

  @Field(() => String, { nullable: true })
  bio!: string | null;

  @Field(() => Boolean)
  isAdmin!: boolean;
}

@InputType()
export class LoginInput {
  @Field(() => String)
  email!: string;

  @Field(() => String)
  password!: string;
}

@ObjectType()
export class LoginAnswer {
  @Field(() => String, { description: "Send it as `Authorization: Bearer …`." })
  token!: string;

  @Field(() => Viewer)
  viewer!: Viewer;
}

@ObjectType({ description: "A browser in which the account is signed in." })
export class Session {
  @Field(() => ID)
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: "Browser and system, for instance `Firefox on Linux`. Null if neither is known.",
  })
  browser!: string | null;

  @Field(() => String, { nullable: true, description: "How the browser called itself." })
  userAgent!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  lastSeenAt!: Date;

  @Field(() => Boolean, { description: "Whether it is the current session." })
  isCurrent!: boolean;
}
