import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import * as drafts from "../domain/writing/drafts.ts";
import { WindowArgs } from "./types/connections.types.ts";
import type { GraphQLContext, MutationContext } from "./context.ts";
import { Draft, DraftConnection, DraftInput } from "./types/drafts.types.ts";
import { Deleted } from "./types/messages.types.ts";
import { Post } from "./types/posts.types.ts";
import { Viewer } from "./types/sessions.types.ts";
import { nodeSelectionOf, selectionOf } from "./selection.ts";

@Resolver(() => Draft)
export class DraftsResolver {
  @Query(() => Draft, { nullable: true, description: "A draft of one's own; null for everybody else's." })
  draft(@Ctx() { ctx }: GraphQLContext, @Arg("id", () => ID) id: string) {
    return drafts.findDraft(ctx, id);
  }

  @Mutation(() => Draft, {
    description:
      "Without an id a new draft. With another `version` than the draft has: CONFLICT, and `extensions.current` is the draft as it is. Version 0 makes a new draft under an id (a UUID) of one's choice, so that a repeated request makes no second.",
  })
  saveDraft(
    @Ctx() { ctx }: MutationContext,
    @Arg("input", () => DraftInput) input: DraftInput,
    @Arg("id", () => ID, { nullable: true }) id?: string | null,
    @Arg("version", () => Int, { nullable: true }) version?: number | null,
  ) {
    return drafts.saveDraft(ctx, { id, version }, { ...input });
  }

  @Mutation(() => Deleted)
  deleteDraft(@Ctx() { ctx }: MutationContext, @Arg("id", () => ID) id: string) {
    return drafts.deleteDraft(ctx, id);
  }

  @FieldResolver(() => Post, {
    nullable: true,
    description: "The post that it will change; null for a new one.",
  })
  post(@Root() draft: drafts.Draft, @Ctx() { loaders }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    return draft.postId && loaders.posts.load(draft.postId, selectionOf(info));
  }
}

@Resolver(() => Viewer)
export class ViewerDraftsResolver {
  @FieldResolver(() => DraftConnection, { description: "What the account is writing, newest first." })
  async drafts(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => WindowArgs) window: WindowArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    const withTexts = nodeSelectionOf(info).description === true;
    return DraftConnection.of(await drafts.readDrafts(ctx, { ...window }, withTexts));
  }
}
