import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import * as categories from "../domain/categories.ts";
import { Category } from "./categories.types.ts";
import type { GraphQLContext } from "./context.ts";
import { Deleted } from "./messages.types.ts";

@Resolver(() => Category)
export class CategoriesResolver {
  @Query(() => [Category], { description: "In order of creation." })
  categories(@Ctx() { ctx }: GraphQLContext) {
    return categories.readCategories(ctx);
  }

  @Mutation(() => Category)
  createCategory(@Ctx() { ctx }: GraphQLContext, @Arg("title", () => String) title: string) {
    return categories.createCategory(ctx, { title });
  }

  @Mutation(() => Deleted)
  deleteCategory(@Ctx() { ctx }: GraphQLContext, @Arg("id", () => ID) id: string) {
    return categories.deleteCategory(ctx, id);
  }

  @FieldResolver(() => Int)
  async postCount(@Root() category: categories.Category, @Ctx() { loaders }: GraphQLContext) {
    return (await loaders.postCounts.load(category.title)) ?? 0;
  }
}
