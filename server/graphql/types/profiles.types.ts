import { Field, InputType, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { Followable } from "./followable.types.ts";
import { DateTime } from "./scalars.ts";

@ObjectType({
  implements: Followable,
  simpleResolvers: true,
  description: "The public data of an account.",
})
export class Profile extends Followable {
  @Field(() => String)
  username!: string;

  @Field(() => String, { nullable: true })
  bio!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const ProfileConnection = connectionOf("Profile", () => Profile);

@InputType()
export class ProfileChanges {
  @Field(() => String, { nullable: true })
  username?: string;

  @Field(() => String, { nullable: true })
  bio?: string | null;

  @Field(() => String, { nullable: true, description: "A new password; it ends the other sessions." })
  password?: string;

  @Field(() => String, {
    nullable: true,
    description: "For a new password; needed when the sign-in is older than two hours.",
  })
  currentPassword?: string;
}
