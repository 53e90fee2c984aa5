import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from "type-graphql";
import { cursorOf } from "../../domain/lists/connections.ts";
import * as bookmarks from "../../domain/posts/bookmarks.ts";
import type * as posts from "../../domain/posts/posts.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { nodeSelectionOf, selectionOf } from "../selection.ts";
import { PageArgs } from "../types/connections.types.ts";
import { Post, PostConnection } from "../types/posts.types.ts";
import { Viewer } from "../types/sessions.types.ts";

@Resolver(() => Post)
export class BookmarksResolver {
  @Mutation(() => Post, {
    description: "Saves a post to read later; harmless when it is saved already. Nobody else sees it.",
  })
  async bookmarkPost(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const post = await bookmarks.bookmarkPost(ctx, id, selectionOf(info));
    loaders.viewerBookmarks.clear(post.id).prime(post.id, true);
    return post;
  }

  @Mutation(() => Post, { description: "Removes a saved post; harmless when it is not saved." })
  async removeBookmark(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const post = await bookmarks.removeBookmark(ctx, id, selectionOf(info));
    loaders.viewerBookmarks.clear(post.id).prime(post.id, false);
    return post;
  }

  @FieldResolver(() => Boolean, { description: "Whether the viewer has saved it to read later." })
  viewerHasBookmarked(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return loaders.viewerBookmarks.load(post.id);
  }
}

@Resolver(() => Viewer)
export class ViewerBookmarksResolver {
  @FieldResolver(() => PostConnection, { description: "The posts saved to read later, the latest first." })
  async bookmarks(
    @Ctx() { ctx, loaders }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    const page = await bookmarks.readBookmarks(ctx, { ...pageArgs });
    const selection = nodeSelectionOf(info);
    const found = await Promise.all(page.nodes.map(({ id }) => loaders.posts.load(id, selection)));
    const nodes = page.nodes.flatMap((bookmark, index) => {
      const post = found[index];
      return post ? [{ ...post, cursor: cursorOf(bookmark) }] : [];
    });
    return PostConnection.of({ ...page, nodes });
  }
}
