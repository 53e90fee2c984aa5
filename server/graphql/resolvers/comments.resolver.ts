import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import * as comments from "../../domain/comments.ts";
import { canDelete, canEdit } from "../../domain/permissions.ts";
import type * as posts from "../../domain/posts/posts.ts";
import { Comment, CommentConnection, CommentPageArgs } from "../types/comments.types.ts";
import { ListArgs } from "../types/connections.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { loadComputed, type Loaders } from "../loaders.ts";
import { Prefetched } from "../prefetched.ts";
import { Deleted } from "../types/messages.types.ts";
import { Post } from "../types/posts.types.ts";
import { Profile } from "../types/profiles.types.ts";
import { batchSelectionOf } from "../selection.ts";

@Resolver(() => Comment)
export class CommentsResolver {
  @Query(() => CommentConnection, {
    description:
      "Everybody's comments, newest first or by createdAt, author, text; for admins. Searches texts and authors.",
  })
  async comments(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => ListArgs) { search, sort, ...pageArgs }: ListArgs,
  ) {
    return CommentConnection.of(await comments.readComments(ctx, { search, sort }, pageArgs));
  }

  @Mutation(() => Comment)
  async createComment(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("postId", () => ID) postId: string,
    @Arg("text", () => String) text: string,
  ) {
    const comment = await comments.createComment(ctx, { postId, text });
    clearPost(loaders, comment.postId);
    return comment;
  }

  @Mutation(() => Comment)
  async updateComment(
    @Ctx() { ctx, loaders }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("text", () => String) text: string,
  ) {
    const comment = await comments.updateComment(ctx, id, { text });
    clearPost(loaders, comment.postId);
    return comment;
  }

  @Mutation(() => Deleted)
  deleteComment(@Ctx() { ctx }: MutationContext, @Arg("id", () => ID) id: string) {
    return comments.deleteComment(ctx, id);
  }

  @Prefetched("author", ({ username }) => username)
  @FieldResolver(() => String, { description: "The commenter's name of today." })
  async username(@Root() comment: comments.Comment, @Ctx() { loaders }: GraphQLContext) {
    return (await loaders.profiles.load(comment.userId))?.username;
  }

  @Prefetched("author")
  @FieldResolver(() => Profile)
  user(@Root() comment: comments.Comment, @Ctx() { loaders }: GraphQLContext) {
    return loaders.profiles.load(comment.userId);
  }

  @FieldResolver(() => Post)
  post(
    @Root() comment: comments.Comment,
    @Ctx() { loaders }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return loaders.posts.load(comment.postId, batchSelectionOf(info));
  }

  @FieldResolver(() => Boolean)
  viewerCanEdit(@Root() comment: comments.Comment, @Ctx() { ctx }: GraphQLContext) {
    return canEdit(ctx, comment);
  }

  @FieldResolver(() => Boolean)
  viewerCanDelete(@Root() comment: comments.Comment, @Ctx() { ctx }: GraphQLContext) {
    return canDelete(ctx, comment);
  }
}

@Resolver(() => Post)
export class PostCommentsResolver {
  @FieldResolver(() => CommentConnection, { description: "Oldest first." })
  async comments(
    @Root() post: posts.Post,
    @Ctx() { loaders }: GraphQLContext,
    @Args(() => CommentPageArgs) pageArgs: CommentPageArgs,
  ) {
    const countAll = async () => (await loadComputed(loaders, "commentCount", post.id)) ?? 0;
    const page = post.comments
      ? comments.pageOfComments(post.comments, pageArgs)
      : await loaders.commentsOfPost.load(post.id, { ...pageArgs });
    return CommentConnection.of({ ...comments.endedBy(page, pageArgs), countAll });
  }

  @Prefetched("commentCount")
  @FieldResolver(() => Int)
  async commentCount(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "commentCount", post.id)) ?? 0;
  }
}

/** An earlier field of the operation may have loaded the post and its comments from before the change. */
function clearPost({ computed, posts, commentsOfPost }: Loaders, id: string): void {
  for (const loader of [computed, posts, commentsOfPost]) loader.clear(id);
}
