import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, FieldResolver, Info, Int, Resolver, Root } from "type-graphql";
import type * as posts from "../../domain/posts/posts.ts";
import { parseRelatedCount } from "../../domain/posts/related-posts.ts";
import type { GraphQLContext } from "../context.ts";
import { batchSelectionOf } from "../selection.ts";
import { Post } from "../types/posts.types.ts";

@Resolver(() => Post)
export class RelatedPostsResolver {
  @FieldResolver(() => [Post], {
    description: "Posts with most tags, category and words in common, the most similar first; at most 8.",
  })
  async related(
    @Root() post: posts.Post,
    @Ctx() { loaders }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("first", () => Int, { defaultValue: 3 }) first: number,
  ) {
    const ids = (await loaders.relatedIds.load(post.id, parseRelatedCount(first))) ?? [];
    const found = await Promise.all(ids.map((id) => loaders.posts.load(id, batchSelectionOf(info))));
    return found.filter((each) => each !== undefined);
  }

  @FieldResolver(() => Post, { nullable: true, description: "The author's post before this one." })
  async previous(
    @Root() post: posts.Post,
    @Ctx() { loaders }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = (await loaders.neighbours.load(post.id))?.previous;
    return id ? loaders.posts.load(id, batchSelectionOf(info)) : null;
  }

  @FieldResolver(() => Post, { nullable: true, description: "The author's post after this one." })
  async next(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    const id = (await loaders.neighbours.load(post.id))?.next;
    return id ? loaders.posts.load(id, batchSelectionOf(info)) : null;
  }
}
