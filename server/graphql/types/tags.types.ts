import { Field, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { Followable } from "./followable.types.ts";

@ObjectType({ implements: Followable, simpleResolvers: true, description: "A free word that posts carry." })
export class Tag extends Followable {
  @Field(() => String)
  name!: string;
}

export const TagConnection = connectionOf("Tag", () => Tag);
