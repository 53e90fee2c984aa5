import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import { readDeletions } from "../../domain/lists/deletions.ts";
import type { GraphQLContext } from "../context.ts";
import { PageArgs } from "../types/connections.types.ts";
import { DeletionConnection } from "../types/deletions.types.ts";
import { DateTime } from "../types/scalars.ts";

@Resolver()
export class DeletionsResolver {
  @Query(() => DeletionConnection, {
    description:
      "Deleted posts, comments, categories and accounts, earliest deletion first, for clients that store copies. Stored for 90 days.",
  })
  async deletions(
    @Ctx() { ctx }: GraphQLContext,
    @Arg("since", () => DateTime, { description: "Only what was deleted later; 90 days ago at most." })
    since: Date,
    @Args(() => PageArgs) pageArgs: PageArgs,
  ) {
    return DeletionConnection.of(await readDeletions(ctx, since, { ...pageArgs }));
  }
}
