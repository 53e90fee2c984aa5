import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, FieldResolver, ID, Info, Int, Mutation, Resolver, Root } from "type-graphql";
import * as likes from "../domain/likes.ts";
import type * as posts from "../domain/posts.ts";
import type { GraphQLContext, MutationContext } from "./context.ts";
import { loadComputed, type Loaders } from "./loaders.ts";
import { Prefetched } from "./prefetched.ts";
import { Post } from "./types/posts.types.ts";
import { selectionOf } from "./selection.ts";

@Resolver(() => Post)
export class LikesResolver {
  @Mutation(() => Post, { description: "Likes a post; harmless when it is liked already." })
  async likePost(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const post = await likes.likePost(ctx, id, selectionOf(info));
    noteLike(loaders, post.id, true);
    return post;
  }

  @Mutation(() => Post, { description: "Takes a like back; harmless when there is none." })
  async unlikePost(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const post = await likes.unlikePost(ctx, id, selectionOf(info));
    noteLike(loaders, post.id, false);
    return post;
  }

  @Prefetched("likers")
  @FieldResolver(() => [ID], { description: "The ids of the users who like it, earliest first." })
  async likes(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "likers", post.id)) ?? [];
  }

  @Prefetched("likeCount")
  @FieldResolver(() => Int)
  async likeCount(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "likeCount", post.id)) ?? 0;
  }

  @FieldResolver(() => Boolean)
  viewerHasLiked(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return loaders.viewerLikes.load(post.id);
  }
}

/** An earlier field of the operation may have loaded values from before the change. */
function noteLike({ computed, viewerLikes }: Loaders, id: string, isLiked: boolean): void {
  computed.clear(id);
  viewerLikes.clear(id).prime(id, isLiked);
}
