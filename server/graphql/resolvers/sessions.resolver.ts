import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { photoOf } from "../../domain/pictures.ts";
import { readProfile, type Profile as AccountRow } from "../../domain/profiles.ts";
import { browserName } from "../../domain/accounts/browser-name.ts";
import * as sessions from "../../domain/accounts/sessions.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { Image } from "../types/images.types.ts";
import { Deleted, Message } from "../types/messages.types.ts";
import { Profile } from "../types/profiles.types.ts";
import { LoginAnswer, LoginInput, Session, Viewer } from "../types/sessions.types.ts";

@Resolver(() => Viewer)
export class SessionsResolver {
  @Query(() => Viewer, { nullable: true, description: "Who is signed in; null for a visitor." })
  viewer(@Ctx() { ctx }: GraphQLContext) {
    return ctx.viewer && readProfile(ctx, ctx.viewer.id);
  }

  @Mutation(() => LoginAnswer)
  async login(@Ctx() { ctx }: MutationContext, @Arg("input", () => LoginInput) input: LoginInput) {
    const { token, profile } = await sessions.login(ctx, { ...input });
    return { token, viewer: profile };
  }

  @Mutation(() => Message, { description: "Ends the current session." })
  logout(@Ctx() { ctx }: MutationContext) {
    return sessions.logout(ctx);
  }

  @Mutation(() => Message, { description: "Ends every session of the account, this one too." })
  logoutEverywhere(@Ctx() { ctx }: MutationContext) {
    return sessions.logoutEverywhere(ctx);
  }

  @Mutation(() => Deleted, { description: "Ends one session of the account." })
  endSession(@Ctx() { ctx }: MutationContext, @Arg("id", () => ID) id: string) {
    return sessions.endSession(ctx, id);
  }

  @FieldResolver(() => [Session], { description: "Where the account is signed in, the latest first." })
  async sessions(@Ctx() { ctx }: GraphQLContext) {
    const rows = await sessions.readSessions(ctx);
    return rows.map((row) => ({
      ...row,
      browser: browserName(row.userAgent),
      isCurrent: row.id === ctx.viewer?.sessionId,
    }));
  }

  @FieldResolver(() => Image)
  profilePhoto(@Root() viewer: AccountRow, @Ctx() { ctx }: GraphQLContext) {
    return photoOf(ctx, viewer);
  }

  @FieldResolver(() => Profile, {
    description: "The same account as a Profile, the type under which clients store names and photos.",
  })
  profile(@Root() viewer: AccountRow) {
    return viewer;
  }
}
