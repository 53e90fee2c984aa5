import { Field, ID, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";

@ObjectType({ simpleResolvers: true, description: "A free word that posts carry." })
export class Tag {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;
}

export const TagConnection = connectionOf("Tag", () => Tag);
