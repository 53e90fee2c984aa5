import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Resolver, Root } from "type-graphql";
import { cursorOf } from "../../domain/lists/connections.ts";
import * as likes from "../../domain/posts/likes.ts";
import type * as posts from "../../domain/posts/posts.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { loadComputed, type Loaders } from "../loaders.ts";
import { Prefetched } from "../prefetched.ts";
import { PageArgs } from "../types/connections.types.ts";
import { Post } from "../types/posts.types.ts";
import { ProfileConnection } from "../types/profiles.types.ts";
import { selectionOf } from "../selection.ts";

@Resolver(() => Post)
export class LikesResolver {
  @Mutation(() => Post, { description: "Likes a post; harmless when it is liked already." })
  async likePost(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const post = await likes.likePost(ctx, id, selectionOf(info));
    updateLoaders(loaders, post.id, true);
    return post;
  }

  @Mutation(() => Post, { description: "Takes a like back; harmless when there is none." })
  async unlikePost(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const post = await likes.unlikePost(ctx, id, selectionOf(info));
    updateLoaders(loaders, post.id, false);
    return post;
  }

  @Prefetched("likers")
  @FieldResolver(() => [ID], {
    description: "The ids of the users who like it, earliest first.",
    deprecationReason: "It grows without limit. Use `likers`; kept at least until 2027-11-30.",
  })
  async likes(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "likers", post.id)) ?? [];
  }

  @FieldResolver(() => ProfileConnection, { description: "Who likes it, earliest first." })
  async likers(
    @Root() post: posts.Post,
    @Ctx() { loaders }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
  ) {
    const page = await loaders.likesOfPost.load(post.id, { ...pageArgs });
    const profiles = await Promise.all(page.nodes.map(({ id }) => loaders.profiles.load(id)));
    const nodes = page.nodes.flatMap((like, index) => {
      const profile = profiles[index];
      return profile ? [{ ...profile, cursor: cursorOf(like) }] : [];
    });
    const countAll = async () => (await loadComputed(loaders, "likeCount", post.id)) ?? 0;
    return ProfileConnection.of({ ...page, nodes, countAll });
  }

  @Prefetched("likeCount")
  @FieldResolver(() => Int, { description: "How many like it." })
  async likeCount(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "likeCount", post.id)) ?? 0;
  }

  @FieldResolver(() => Boolean)
  viewerHasLiked(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return loaders.viewerLikes.load(post.id);
  }
}

/** An earlier field of the operation may have loaded values from before the change. */
function updateLoaders({ computed, likesOfPost, viewerLikes }: Loaders, id: string, isLiked: boolean): void {
  computed.clear(id);
  likesOfPost.clear(id);
  viewerLikes.clear(id).prime(id, isLiked);
}
