import { Field, ID, InterfaceType } from "type-graphql";

@InterfaceType({
  description: "An object that can be read again by its id alone.",
})
export abstract class Node {
  @Field(() => ID, { description: "A UUID, the same that REST calls `_id`." })
  id!: string;
}
