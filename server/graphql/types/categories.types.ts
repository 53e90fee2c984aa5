import { ArgsType, Field, Int, ObjectType } from "type-graphql";
import { connectionOf } from "./connections.types.ts";
import { Followable } from "./followable.types.ts";
import { SEARCH_DESCRIPTION } from "./lengths.ts";

@ObjectType({ implements: Followable })
export class Category extends Followable {
  @Field(() => String)
  title!: string;
}

@ArgsType()
export class CategoriesArgs {
  @Field(() => String, { nullable: true, description: SEARCH_DESCRIPTION })
  search?: string;

  @Field(() => String, {
    nullable: true,
    description: "A field to sort by, with - before it for descending.",
  })
  sort?: string;

  @Field(() => Int, { nullable: true, description: "A numbered page, from 1; all of them when left out." })
  page?: number;

  @Field(() => Int, { nullable: true, description: "How many, 1 to 100." })
  first?: number;
}

export const CategoryConnection = connectionOf("Category", () => Category);
