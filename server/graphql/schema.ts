import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { lexicographicSortSchema, printSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { AccountsResolver } from "./accounts.resolver.ts";
import { CategoriesResolver, PostCategoryResolver } from "./categories.resolver.ts";
import { CommentsResolver, PostCommentsResolver } from "./comments.resolver.ts";
import { DailyCountsResolver } from "./daily-counts.resolver.ts";
import { DeletedResolver } from "./deleted.resolver.ts";
import { DeletionsResolver } from "./deletions.resolver.ts";
import { describeSchema } from "./descriptions.ts";
import { DraftsResolver, ViewerDraftsResolver } from "./drafts.resolver.ts";
import { HeadingsResolver } from "./headings.resolver.ts";
import { LettersResolver } from "./letters.resolver.ts";
import { LikesResolver } from "./likes.resolver.ts";
import { NodesResolver } from "./nodes.resolver.ts";
import { PicturesResolver } from "./pictures.resolver.ts";
import { PostsResolver } from "./posts.resolver.ts";
import { PreviewsResolver } from "./previews.resolver.ts";
import { ProfilesResolver } from "./profiles.resolver.ts";
import { answerFromRows } from "./prefetched.ts";
import { RelatedPostsResolver } from "./related-posts.resolver.ts";
import { PostRevisionsResolver, RevisionsResolver } from "./revisions.resolver.ts";
import { SearchResolver } from "./search.resolver.ts";
import { SessionsResolver } from "./sessions.resolver.ts";
import { PostTagsResolver, TagsResolver } from "./tags.resolver.ts";
import { UsersResolver } from "./users.resolver.ts";

/** TypeGraphQL's validation is off, because the domain validates input. */
export const buildBlogSchema = (): GraphQLSchema =>
  describeSchema(
    answerFromRows(
      lexicographicSortSchema(
        buildSchemaSync({
          resolvers: [
            AccountsResolver,
            CategoriesResolver,
            CommentsResolver,
            DailyCountsResolver,
            DeletedResolver,
            DeletionsResolver,
            DraftsResolver,
            HeadingsResolver,
            LettersResolver,
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
            ViewerDraftsResolver,
          ],
          validate: false,
        }),
      ),
    ),
  );

/** The text of schema.graphql. */
export const printBlogSchema = (): string => `${printSchema(buildBlogSchema())}\n`;
