import { Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import { photoOf } from "../../domain/pictures.ts";
import type { Profile as AccountRow } from "../../domain/profiles.ts";
import * as users from "../../domain/users.ts";
import { ListArgs } from "../types/connections.types.ts";
import type { GraphQLContext } from "../context.ts";
import { Image } from "../types/images.types.ts";
import { Profile } from "../types/profiles.types.ts";
import { User, UserConnection } from "../types/users.types.ts";

@Resolver(() => User)
export class UsersResolver {
  @Query(() => UserConnection, {
    description:
      "Accounts, newest first or by createdAt, username, email; for admins. Searches names and addresses.",
  })
  async users(@Ctx() { ctx }: GraphQLContext, @Args(() => ListArgs) { search, sort, ...pageArgs }: ListArgs) {
    return UserConnection.of(await users.readUsers(ctx, { search, sort }, pageArgs));
  }

  @Query(() => Int, { description: "For admins." })
  usersCount(@Ctx() { ctx }: GraphQLContext) {
    return users.countUsers(ctx);
  }

  @FieldResolver(() => Boolean)
  isAccountVerified(@Root() user: AccountRow) {
    return user.verifiedAt !== null;
  }

  @FieldResolver(() => Int, { description: "How many posts the account has written." })
  async postCount(@Root() user: Profile, @Ctx() { loaders }: GraphQLContext) {
    return (await loaders.postCountsOfAuthor.load(user.id)) ?? 0;
  }

  @FieldResolver(() => Image)
  profilePhoto(@Root() user: AccountRow, @Ctx() { ctx }: GraphQLContext) {
    return photoOf(ctx, user);
  }

  @FieldResolver(() => Profile, {
    description: "The same account as a Profile, the type under which clients store names and photos.",
  })
  profile(@Root() user: AccountRow) {
    return user;
  }
}
