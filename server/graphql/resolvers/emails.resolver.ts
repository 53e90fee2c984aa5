import { Args, Ctx, Query, Resolver } from "type-graphql";
import { readEmails } from "../../domain/accounts/emails.ts";
import { WindowArgs } from "../types/connections.types.ts";
import type { GraphQLContext } from "../context.ts";
import { LetterConnection } from "../types/letters.types.ts";

@Resolver()
export class LettersResolver {
  @Query(() => LetterConnection, {
    description: "The outbox, newest first; for admins of a blog without a mail server.",
  })
  async letters(@Ctx() { ctx }: GraphQLContext, @Args(() => WindowArgs) window: WindowArgs) {
    return LetterConnection.of(await readEmails(ctx, { ...window }));
  }
}
