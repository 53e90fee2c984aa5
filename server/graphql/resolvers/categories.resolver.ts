import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import * as categories from "../../domain/categories.ts";
import type { ConnectionArgs } from "../../domain/lists/connections.ts";
import type { PostSelection } from "../../domain/post-selection.ts";
import { CategoriesArgs, Category, CategoryConnection } from "../types/categories.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { ListArgs, PageArgs } from "../types/connections.types.ts";
import { Post, PostConnection } from "../types/posts.types.ts";
import { recordLength } from "../endpoint/cost.ts";
import { nodeSelectionOf } from "../selection.ts";
import { Deleted } from "../types/messages.types.ts";

@Resolver(() => Post)
export class PostCategoryResolver {
  @FieldResolver(() => Category, {
    nullable: true,
    description: "The category of its title; null when that was deleted.",
  })
  categoryInfo(@Root() post: Post, @Ctx() { loaders }: GraphQLContext) {
    return loaders.categoriesByTitle.load(post.category);
  }
}

@Resolver(() => Category)
export class CategoriesResolver {
  @Query(() => [Category], {
    description:
      "All, or a page of them, in order of creation or by createdAt, title, postCount. Searches titles.",
  })
  async categories(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => CategoriesArgs) { search, sort, ...pageArgs }: CategoriesArgs,
  ) {
    const found = await categories.readCategories(ctx, { search, sort }, pageArgs);
    if (!search && pageArgs.page == null && pageArgs.first == null)
      recordLength("Query.categories", found.length);
    return found;
  }

  @Query(() => CategoryConnection, {
    description:
      "A page of `categories`, with cursors. In order of creation or by createdAt, title, postCount. Searches titles.",
  })
  async categoryConnection(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => ListArgs) { search, sort, ...pageArgs }: ListArgs,
  ) {
    return CategoryConnection.of(await categories.readCategoryPage(ctx, { search, sort }, pageArgs));
  }

  @Query(() => Int)
  categoriesCount(
    @Ctx() { ctx }: GraphQLContext,
    @Arg("search", () => String, { nullable: true }) search?: string,
  ) {
    return categories.countCategories(ctx, { search });
  }

  @Mutation(() => Category)
  createCategory(@Ctx() { ctx }: MutationContext, @Arg("title", () => String) title: string) {
    return categories.createCategory(ctx, { title });
  }

  @Mutation(() => Deleted)
  deleteCategory(@Ctx() { ctx }: MutationContext, @Arg("id", () => ID) id: string) {
    return categories.deleteCategory(ctx, id);
  }

  @FieldResolver(() => PostConnection, { description: "Its posts, newest first." })
  async posts(
    @Root() category: categories.Category,
    @Ctx() { loaders }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    const args: [ConnectionArgs, PostSelection] = [{ ...pageArgs }, nodeSelectionOf(info)];
    const countAll = async () => (await loaders.postCounts.load(category.title)) ?? 0;
    return PostConnection.of({ ...(await loaders.postsOfCategory.load(category.title, args)), countAll });
  }

  @FieldResolver(() => Int, { description: "How many posts have it." })
  async postCount(@Root() category: categories.Category, @Ctx() { loaders }: GraphQLContext) {
    return (await loaders.postCounts.load(category.title)) ?? 0;
  }
}
