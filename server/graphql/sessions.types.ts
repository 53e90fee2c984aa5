import { Field, ID, InputType, ObjectType } from "type-graphql";

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
