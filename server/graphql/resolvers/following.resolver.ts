import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from "type-graphql";
import { notFound } from "../../errors.ts";
import * as following from "../../domain/following.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import type { Loaders } from "../loaders.ts";
import { nodeSelectionOf } from "../selection.ts";
import { PageArgs } from "../types/connections.types.ts";
import { Followable } from "../types/followable.types.ts";
import { PostConnection } from "../types/posts.types.ts";
import { Viewer } from "../types/sessions.types.ts";

type Followed = Awaited<ReturnType<typeof following.follow>>;

async function readFollowed(loaders: Loaders, { id, type }: Followed, isFollowed: boolean) {
  loaders.viewerFollows.clear(id).prime(id, isFollowed);
  const read = { Profile: loaders.profiles, Category: loaders.categoriesById, Tag: loaders.tagsById };
  const row = await read[type].load(id);
  if (!row) throw notFound("author, category or tag");
  return { ...row, __typename: type };
}

@Resolver(() => Followable)
export class FollowingResolver {
  @Mutation(() => Followable, {
    description: "Follows an author, a category or a tag; harmless when it is followed already.",
  })
  async follow(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID, { description: "Of a Profile, a Category or a Tag." }) id: string,
  ) {
    return readFollowed(loaders, await following.follow(ctx, id), true);
  }

  @Mutation(() => Followable, { description: "Follows it no longer; harmless when it is not followed." })
  async unfollow(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID, { description: "Of a Profile, a Category or a Tag." }) id: string,
  ) {
    return readFollowed(loaders, await following.unfollow(ctx, id), false);
  }

  @FieldResolver(() => Boolean, { description: "Whether the viewer follows its posts." })
  viewerIsFollowing(@Root() { id }: Followable, @Ctx() { ctx, loaders }: GraphQLContext) {
    return ctx.viewer !== null && loaders.viewerFollows.load(id);
  }
}

@Resolver(() => Viewer)
export class ViewerFollowingResolver {
  @FieldResolver(() => PostConnection, {
    description: "The posts of authors and categories and with tags that the account follows, newest first.",
  })
  async followed(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    return PostConnection.of(await following.readFollowedPosts(ctx, { ...pageArgs }, nodeSelectionOf(info)));
  }
}
