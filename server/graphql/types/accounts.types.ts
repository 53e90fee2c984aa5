import { Field, InputType } from "type-graphql";

@InputType()
export class RegisterInput {
  @Field(() => String, { description: "2 to 100 characters; unique without regard to case." })
  username!: string;

  @Field(() => String)
  email!: string;

  @Field(() => String, { description: "8 to 128 characters." })
  password!: string;
}
