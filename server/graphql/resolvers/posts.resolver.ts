import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { postContent, type PostPayload } from "../../domain/post-selection.ts";
import { postPath } from "../../http/addresses.ts";
import { canDelete, canEdit } from "../../domain/permissions.ts";
import { imageOf } from "../../domain/pictures.ts";
import * as changes from "../../domain/posts/post-changes.ts";
import * as posts from "../../domain/posts/posts.ts";
import { ListArgs } from "../types/connections.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { memoizePerOperation } from "../memoize-per-operation.ts";
import { loadComputed } from "../loaders.ts";
import { Prefetched } from "../prefetched.ts";
import { excerpt } from "../../domain/posts/excerpts.ts";
import { textOfHtml } from "../../domain/posts/plain-text.ts";
import { nullIfMissing } from "../endpoint/errors.ts";
import { Image } from "../types/images.types.ts";
import { Deleted } from "../types/messages.types.ts";
import { Post, PostChanges, PostConnection, PostInput } from "../types/posts.types.ts";
import { PostOrder } from "../types/post-order.types.ts";
import { Profile } from "../types/profiles.types.ts";
import { DateTime, Upload } from "../types/scalars.ts";
import { withImage, type UploadedFile } from "../endpoint/uploads.ts";
import { selectionOf, nodeSelectionOf } from "../selection.ts";

@ArgsType()
class PostsArgs extends ListArgs {
  @Field(() => String, { nullable: true, description: "Only posts of this category title." })
  category?: string;

  @Field(() => String, { nullable: true, description: "Only posts with this tag, in any spelling." })
  tag?: string;

  @Field(() => ID, { nullable: true, description: "Only posts of this user." })
  author?: string;

  @Field(() => PostOrder, {
    nullable: true,
    description: "An order, instead of `sort`; newest first when left out.",
  })
  orderBy?: PostOrder;

  @Field(() => DateTime, { nullable: true, description: "Only posts whose `updatedAt` is later." })
  updatedAfter?: Date;
}

const excerptOf = memoizePerOperation(excerpt);
const plainHtmlOf = memoizePerOperation((description, { ctx }) => ctx.markdown.toPlain(description));
const wordsOf = memoizePerOperation(textOfHtml);

async function htmlOf(post: PostPayload<typeof postContent>, context: GraphQLContext) {
  const html = post.html === undefined ? await context.loaders.postHtml.load(post.id) : post.html;
  return html ?? plainHtmlOf(context, post.id, post.description);
}

/** Not by a loader, which may have loaded the state before the change. */
const changedParts = { ...postContent, tags: true } as const;

const fieldsOf = ({ tags, ...fields }: PostInput | PostChanges) => ({
  ...fields,
  ...(tags != null && { tags }),
});

@Resolver(() => Post)
export class PostsResolver {
  @Query(() => PostConnection, {
    description:
      "Posts, newest first or by createdAt, title, author. Searches titles and texts by how their words begin.",
  })
  async posts(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => PostsArgs) args: PostsArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    return PostConnection.of(await posts.readPosts(ctx, args, args, nodeSelectionOf(info)));
  }

  @Query(() => Post, { nullable: true })
  post(@Ctx() { ctx }: GraphQLContext, @Arg("id", () => ID) id: string, @Info() info: GraphQLResolveInfo) {
    return nullIfMissing(posts.readPost(ctx, id, selectionOf(info)));
  }

  @Query(() => Int)
  postsCount(@Ctx() { ctx }: GraphQLContext) {
    return posts.countPosts(ctx);
  }

  @Mutation(() => Post)
  createPost(
    @Ctx() { ctx }: MutationContext,
    @Arg("input", () => PostInput) input: PostInput,
    @Arg("image", () => Upload) image: Promise<UploadedFile>,
  ) {
    return withImage(ctx, { fields: fieldsOf(input), image }, (readForm) =>
      changes.createPost(ctx, readForm),
    );
  }

  @Mutation(() => Post)
  updatePost(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("input", () => PostChanges) input: PostChanges,
  ) {
    return changes.updatePost(ctx, id, fieldsOf(input), changedParts);
  }

  @Mutation(() => Post)
  updatePostImage(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("image", () => Upload) image: Promise<UploadedFile>,
  ) {
    return withImage(ctx, { fields: {}, image }, (readForm) => changes.updatePostImage(ctx, id, readForm));
  }

  @Mutation(() => Deleted)
  deletePost(@Ctx() { ctx }: MutationContext, @Arg("id", () => ID) id: string) {
    return changes.deletePost(ctx, id);
  }

  @FieldResolver(() => String, { description: "The absolute address of its page." })
  url(@Root() post: posts.Post, @Ctx() { ctx }: GraphQLContext) {
    return ctx.siteUrl + postPath(post.id);
  }

  @FieldResolver(() => String, { description: "The first words of the text, without its marks." })
  excerpt(@Root() post: PostPayload<{ description: true }>, @Ctx() context: GraphQLContext) {
    return excerptOf(context, post.id, post.description);
  }

  @FieldResolver(() => String, {
    description:
      "The text as sanitized HTML: CommonMark with GFM's tables, task lists, strikethrough, autolinks and footnotes.",
  })
  descriptionHtml(@Root() post: PostPayload<typeof postContent>, @Ctx() context: GraphQLContext) {
    return htmlOf(post, context);
  }

  @FieldResolver(() => String, {
    description: "The words of the text without Markdown, a line for each paragraph, heading or list entry.",
  })
  async descriptionText(@Root() post: PostPayload<typeof postContent>, @Ctx() context: GraphQLContext) {
    return wordsOf(context, post.id, await htmlOf(post, context));
  }

  @Prefetched("readingMinutes")
  @FieldResolver(() => Int, { description: "How many minutes it takes to read the text; at least 1." })
  async readingMinutes(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return (await loadComputed(loaders, "readingMinutes", post.id)) ?? 1;
  }

  @FieldResolver(() => Image)
  image(@Root() post: PostPayload<{ image: true }>, @Ctx() { ctx }: GraphQLContext) {
    return imageOf(ctx, post.image, post.alt || post.title);
  }

  @FieldResolver(() => String, {
    description: "The absolute URL of the picture as a JPEG of 1200 × 630 pixels, for link previews.",
  })
  cardUrl(@Root() post: posts.Post, @Ctx() { ctx }: GraphQLContext) {
    return ctx.media.urlOf(post.imageId, "card.jpg");
  }

  @Prefetched("author")
  @FieldResolver(() => Profile)
  user(@Root() post: posts.Post, @Ctx() { loaders }: GraphQLContext) {
    return loaders.profiles.load(post.userId);
  }

  @FieldResolver(() => Boolean)
  viewerCanEdit(@Root() post: posts.Post, @Ctx() { ctx }: GraphQLContext) {
    return canEdit(ctx, post);
  }

  @FieldResolver(() => Boolean)
  viewerCanDelete(@Root() post: posts.Post, @Ctx() { ctx }: GraphQLContext) {
    return canDelete(ctx, post);
  }
}
