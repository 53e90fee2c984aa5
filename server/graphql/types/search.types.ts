import { ArgsType, createUnionType, Field, Int, ObjectType } from "type-graphql";
import { LENGTHS } from "../../limits.ts";
import { Category } from "./categories.types.ts";
import { PageInfo } from "./connections.types.ts";
import { Post } from "./posts.types.ts";
import { Profile } from "./profiles.types.ts";
import { Tag } from "./tags.types.ts";

@ArgsType()
export class SearchArgs {
  @Field(() => String, {
    description: `At most ${LENGTHS.query[1]} characters: words, "a phrase", -excluded, author:, category:, tag:.`,
  })
  query!: string;

  @Field(() => Int, { nullable: true, description: "How many, 1 to 100; 10 when left out." })
  first?: number;

  @Field(() => String, { nullable: true, description: "Continue behind this cursor." })
  after?: string;

  @Field(() => Int, { nullable: true, description: "A numbered page, from 1." })
  page?: number;
}

@ObjectType({ simpleResolvers: true, description: "A piece of a text." })
export class TextPart {
  @Field(() => String)
  text!: string;

  @Field(() => Boolean, { description: "Whether it is one of the words that were looked for." })
  isMatch!: boolean;
}

export const SearchResult = createUnionType({
  name: "SearchResult",
  types: () => [Post, Profile, Category, Tag] as const,
});

@ObjectType()
export class SearchEdge {
  @Field(() => String)
  cursor!: string;

  @Field(() => SearchResult)
  node!: typeof SearchResult;
}

@ObjectType()
export class SearchConnection {
  @Field(() => [SearchEdge])
  edges!: SearchEdge[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;

  @Field(() => Int, { description: "How many there are, 1000 at most." })
  totalCount!: number;

  @Field(() => Boolean, { description: "Whether there are no more than `totalCount`." })
  isTotalExact!: boolean;

  @Field(() => Boolean, {
    description: "Whether nothing has all the words, and these have some of them or similar ones.",
  })
  isNearest!: boolean;

  @Field(() => Int, { description: "How many numbered pages there are." })
  pages!: number;
}
