import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import * as accounts from "../../domain/accounts/accounts.ts";
import * as resets from "../../domain/accounts/password-resets.ts";
import { RegisterInput } from "../types/accounts.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { Message } from "../types/messages.types.ts";

@Resolver()
export class AccountsResolver {
  @Mutation(() => Message, {
    description: "Opens an account; the address gets an email with a link to verify it.",
  })
  register(@Ctx() { ctx }: MutationContext, @Arg("input", () => RegisterInput) input: RegisterInput) {
    return accounts.register(ctx, { ...input });
  }

  @Mutation(() => Message)
  verifyEmail(
    @Ctx() { ctx }: MutationContext,
    @Arg("userId", () => ID) userId: string,
    @Arg("token", () => String) token: string,
  ) {
    return accounts.verifyEmail(ctx, userId, token);
  }

  @Mutation(() => Message, { description: "Answers alike whether or not the address has an account." })
  requestPasswordReset(@Ctx() { ctx }: MutationContext, @Arg("email", () => String) email: string) {
    return resets.requestPasswordReset(ctx, { email });
  }

  @Query(() => Boolean)
  resetLinkValid(
    @Ctx() { ctx, caching }: GraphQLContext,
    @Arg("userId", () => ID) userId: string,
    @Arg("token", () => String) token: string,
  ) {
    caching.isPrivate = true;
    return resets.isResetLinkValid(ctx, userId, token);
  }

  @Mutation(() => Message, { description: "Uses a reset link up, and ends every session of the account." })
  resetPassword(
    @Ctx() { ctx }: MutationContext,
    @Arg("userId", () => ID) userId: string,
    @Arg("token", () => String) token: string,
    @Arg("password", () => String) password: string,
  ) {
    return resets.resetPassword(ctx, userId, token, { password });
  }
}
