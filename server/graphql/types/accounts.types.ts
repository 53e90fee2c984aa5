import { Field, InputType } from "type-graphql";
import { lengthOf } from "./lengths.ts";

@InputType()
export class RegisterInput {
  @Field(() => String, { description: `${lengthOf("username")}; unique without regard to case.` })
  username!: string;

  @Field(() => String)
  email!: string;

  @Field(() => String, { description: `${lengthOf("password")}.` })
  password!: string;
}
