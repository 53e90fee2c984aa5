import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { DateTime } from "./scalars.ts";

enum DeletedType {
  Post = "Post",
  Comment = "Comment",
  Category = "Category",
  Profile = "Profile",
}

registerEnumType(DeletedType, { name: "DeletedType", description: "The type of a deleted object." });

@ObjectType({ description: "A deleted object. Its content is deleted too, so it has only an id." })
class Deletion {
  @Field(() => ID, { description: "The id of the deleted object." })
  id!: string;

  @Field(() => DeletedType, { description: "What it was." })
  type!: `${DeletedType}`;

  @Field(() => DateTime, { description: "When it was deleted.", name: "deletedAt" })
  createdAt!: Date;
}

export const DeletionConnection = connectionOf("Deletion", () => Deletion);
