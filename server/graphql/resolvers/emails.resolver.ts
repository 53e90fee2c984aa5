import { Args, Ctx, Query, Resolver } from "type-graphql";
import { readEmails } from "../../domain/accounts/emails.ts";
import { PageArgs } from "../types/connections.types.ts";
import type { GraphQLContext } from "../context.ts";
import { EmailConnection } from "../types/emails.types.ts";

@Resolver()
export class EmailsResolver {
  @Query(() => EmailConnection, {
    description: "The outbox, newest first; for admins of a blog without a mail server.",
  })
  async letters(@Ctx() { ctx }: GraphQLContext, @Args(() => PageArgs) pageArgs: PageArgs) {
    return EmailConnection.of(await readEmails(ctx, { ...pageArgs }));
  }
}
