import type { MarkedWord } from "../../domain/searching/highlights.ts";
import type { GraphQLResolveInfo } from "graphql";
import { Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from "type-graphql";
import { highlightText, highlightTitle, search, type SearchHit } from "../../domain/searching/search.ts";
import type { GraphQLContext } from "../context.ts";
import { nodeSelectionOf, selectsOfEdges } from "../selection.ts";
import { SearchArgs, SearchConnection, SearchEdge, TextPart } from "../types/search.types.ts";

type Edge = { hit: SearchHit; marked: MarkedWord[] };

@Resolver(() => SearchEdge)
export class SearchResolver {
  @Query(() => SearchConnection, {
    description:
      "Posts, authors, categories and tags, the best first. Words ignore accents and case and match how words begin; few results are followed by names that resemble them.",
  })
  async search(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => SearchArgs) { query: given, ...pageArgs }: SearchArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { marked, hits, pageSize, hasNextPage, hasPreviousPage, ...counts } = await search(
      ctx,
      given,
      pageArgs,
      { ...nodeSelectionOf(info), ...(selectsOfEdges(info, "excerpt") && { description: true }) },
    );
    const cursors = { startCursor: hits.at(0)?.cursor ?? null, endCursor: hits.at(-1)?.cursor ?? null };
    return {
      ...counts,
      edges: hits.map((hit) => ({
        hit,
        marked,
        cursor: hit.cursor,
        node: { ...hit.node, __typename: hit.kind },
      })),
      pages: Math.ceil(counts.totalCount / pageSize),
      pageInfo: { hasNextPage, hasPreviousPage, ...cursors },
    };
  }

  @FieldResolver(() => [TextPart], { description: "The title or name." })
  async title(@Root() { hit, marked }: Edge, @Ctx() { nextSlice }: GraphQLContext) {
    await nextSlice();
    return highlightTitle(marked, hit);
  }

  @FieldResolver(() => [TextPart], {
    description: "The part of the text or bio that fits the query; none of a category or tag.",
  })
  async excerpt(@Root() { hit, marked }: Edge, @Ctx() { nextSlice }: GraphQLContext) {
    await nextSlice();
    return highlightText(marked, hit);
  }
}
