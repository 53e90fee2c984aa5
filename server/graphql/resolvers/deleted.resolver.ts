import { FieldResolver, ID, Resolver, Root } from "type-graphql";
import { Deleted } from "../types/messages.types.ts";

@Resolver(() => Deleted)
export class DeletedResolver {
  @FieldResolver(() => ID, { description: "The same id, under a name that Relay's `@deleteRecord` accepts." })
  deletedId(@Root() deleted: Deleted) {
    return deleted.id;
  }
}
