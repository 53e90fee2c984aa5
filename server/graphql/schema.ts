import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { lexicographicSortSchema, printSchema } from "graphql";
import { buildSchemaSync, type BuildSchemaOptions } from "type-graphql";
import { resolveTypesByName } from "./abstract-types.ts";
import { AccountsResolver } from "./resolvers/accounts.resolver.ts";
import { BookmarksResolver, ViewerBookmarksResolver } from "./resolvers/bookmarks.resolver.ts";
import { CategoriesResolver, PostCategoryResolver } from "./resolvers/categories.resolver.ts";
import { CommentsResolver, PostCommentsResolver } from "./resolvers/comments.resolver.ts";
import { DailyCountsResolver } from "./resolvers/daily-counts.resolver.ts";
import { DeletedResolver } from "./resolvers/deleted.resolver.ts";
import { DeletionsResolver } from "./resolvers/deletions.resolver.ts";
import { describeSchema } from "./descriptions.ts";
import { DraftsResolver, ViewerDraftsResolver } from "./resolvers/drafts.resolver.ts";
import { FollowingResolver, ViewerFollowingResolver } from "./resolvers/following.resolver.ts";
import { HeadingsResolver } from "./resolvers/headings.resolver.ts";
import { EmailsResolver } from "./resolvers/emails.resolver.ts";
import { LikesResolver } from "./resolvers/likes.resolver.ts";
import { wrapMutations } from "./mutations.ts";
import { NodesResolver } from "./resolvers/nodes.resolver.ts";
import { ImagesResolver, PicturesResolver } from "./resolvers/pictures.resolver.ts";
import { PostsResolver } from "./resolvers/posts.resolver.ts";
import { PreviewsResolver } from "./resolvers/previews.resolver.ts";
import { ProfilesResolver } from "./resolvers/profiles.resolver.ts";
import { resolveFromRows } from "./prefetched.ts";
import { RelatedPostsResolver } from "./resolvers/related-posts.resolver.ts";
import { PostRevisionsResolver, RevisionsResolver } from "./resolvers/revisions.resolver.ts";
import { SearchResolver } from "./resolvers/search.resolver.ts";
import { SessionsResolver } from "./resolvers/sessions.resolver.ts";
import { PostTagsResolver, TagsResolver } from "./resolvers/tags.resolver.ts";
import { UsersResolver } from "./resolvers/users.resolver.ts";

const resolvers: BuildSchemaOptions["resolvers"] = [
  AccountsResolver,
  BookmarksResolver,
  CategoriesResolver,
  CommentsResolver,
  DailyCountsResolver,
  DeletedResolver,
  DeletionsResolver,
  DraftsResolver,
  EmailsResolver,
  FollowingResolver,
  HeadingsResolver,
  ImagesResolver,
  LikesResolver,
  NodesResolver,
  PicturesResolver,
  PostCommentsResolver,
  PostCategoryResolver,
  PostRevisionsResolver,
  PostsResolver,
  PostTagsResolver,
  PreviewsResolver,
  ProfilesResolver,
  RelatedPostsResolver,
  RevisionsResolver,
  SearchResolver,
  SessionsResolver,
  TagsResolver,
  UsersResolver,
  ViewerBookmarksResolver,
  ViewerDraftsResolver,
  ViewerFollowingResolver,
];

/** TypeGraphQL's validation is off, because the domain validates input. */
export function buildBlogSchema(): GraphQLSchema {
  const schema = lexicographicSortSchema(buildSchemaSync({ resolvers, validate: false }));
  return describeSchema(wrapMutations(resolveFromRows(resolveTypesByName(schema))));
}

export const printBlogSchema = (): string => `${printSchema(buildBlogSchema())}\n`;
