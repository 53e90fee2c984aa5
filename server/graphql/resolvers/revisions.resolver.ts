import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from "type-graphql";
import { requireReviewer } from "../../domain/permissions.ts";
import type * as posts from "../../domain/posts/posts.ts";
import * as revisions from "../../domain/writing/revisions.ts";
import { PageArgs } from "../types/connections.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { Revision, RevisionConnection } from "../types/drafts.types.ts";
import { Post } from "../types/posts.types.ts";
import { Profile } from "../types/profiles.types.ts";
import { nodeSelectionOf, selectionOf } from "../selection.ts";

@Resolver(() => Revision)
export class RevisionsResolver {
  @Mutation(() => Post, {
    description:
      "Gives a post of one's own the title, text and category of a revision. A deleted category is not restored.",
  })
  restoreRevision(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return revisions.restoreRevision(ctx, id, selectionOf(info));
  }

  @FieldResolver(() => Profile, { description: "Who wrote this state." })
  editor(@Root() revision: revisions.Revision, @Ctx() { loaders }: GraphQLContext) {
    return loaders.profiles.load(revision.userId);
  }
}

@Resolver(() => Post)
export class PostRevisionsResolver {
  @FieldResolver(() => RevisionConnection, {
    description: "The published states that others have replaced, newest first; for its author and admins.",
  })
  async revisions(
    @Root() post: posts.Post,
    @Ctx() { ctx, loaders }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    requireReviewer(ctx, post);
    const withTexts = nodeSelectionOf(info).description === true;
    const countAll = async () => (await loaders.revisionCounts.load(post.id)) ?? 0;
    return RevisionConnection.of({
      ...(await loaders.revisionsOfPost.load(post.id, { ...pageArgs, withTexts })),
      countAll,
    });
  }
}
