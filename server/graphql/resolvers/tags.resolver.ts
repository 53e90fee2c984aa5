import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import type * as posts from "../../domain/posts/posts.ts";
import * as tags from "../../domain/posts/tags.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { loadComputed } from "../loaders.ts";
import { Prefetched } from "../prefetched.ts";
import { ListArgs } from "../types/connections.types.ts";
import { Post } from "../types/posts.types.ts";
import { Tag, TagConnection } from "../types/tags.types.ts";

@Resolver(() => Tag)
export class TagsResolver {
  @Query(() => TagConnection, {
    description: "Tags that some post carries, in order of creation or by createdAt, name, postCount.",
  })
  async tags(@Ctx() { ctx }: GraphQLContext, @Args(() => ListArgs) { search, sort, ...pageArgs }: ListArgs) {
    return TagConnection.of(await tags.readTags(ctx, { search, sort }, pageArgs));
  }

  @Query(() => Tag, {
    nullable: true,
    description: "By its name, in any spelling; null if no post carries it.",
  })
  tag(@Ctx() { ctx }: GraphQLContext, @Arg("name", () => String) name: string) {
    return tags.findTag(ctx, name);
  }

  @Mutation(() => Tag, {
    description: "Gives the posts of `from` the tag `into` instead, and deletes `from`.",
  })
  mergeTags(
    @Ctx() { ctx }: MutationContext,
    @Arg("from", () => ID) from: string,
    @Arg("into", () => ID) into: string,
  ) {
    return tags.mergeTags(ctx, from, into);
  }

  @Mutation(() => Tag)
  renameTag(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("name", () => String) name: string,
  ) {
    return tags.renameTag(ctx, id, { name });
  }

  @FieldResolver(() => Int)
  async postCount(@Root() tag: Tag, @Ctx() { loaders }: GraphQLContext) {
    return (await loaders.postCountsOfTag.load(tag.id)) ?? 0;
  }
}

@Resolver(() => Post)
export class PostTagsResolver {
  @Prefetched("tags")
  @FieldResolver(() => [Tag], { description: "In the order in which its author gave them." })
  async tags(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "tags", post.id)) ?? [];
  }
}
