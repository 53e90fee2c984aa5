import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { imageOf } from "../../domain/pictures.ts";
import * as drafts from "../../domain/writing/drafts.ts";
import * as publishing from "../../domain/writing/publishing.ts";
import * as schedules from "../../domain/writing/schedules.ts";
import { PageArgs } from "../types/connections.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { Draft, DraftConnection, DraftInput, Picture } from "../types/drafts.types.ts";
import { Image } from "../types/images.types.ts";
import { Deleted } from "../types/messages.types.ts";
import { DateTime } from "../types/scalars.ts";
import { Post } from "../types/posts.types.ts";
import { Profile } from "../types/profiles.types.ts";
import { Viewer } from "../types/sessions.types.ts";
import { nodeSelectionOf, selectionOf, batchSelectionOf } from "../selection.ts";

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

  @Mutation(() => Post, {
    description:
      "Publishes a draft at once and deletes it; repeated, it returns the same post. CONFLICT where the post has changed since the draft was begun: `extensions.current` is the draft, and `current.post` the post as it is.",
  })
  publishDraft(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("version", () => Int) version: number,
    @Info() info: GraphQLResolveInfo,
  ) {
    return publishing.publishDraft(ctx, { id, version }, selectionOf(info));
  }

  @Mutation(() => Draft, {
    description: "Publishes a draft at a time, within five seconds; null unschedules it.",
  })
  scheduleDraft(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("version", () => Int) version: number,
    @Arg("publishAt", () => DateTime, { nullable: true }) publishAt?: Date | null,
  ) {
    return schedules.scheduleDraft(ctx, { id, version }, { publishAt });
  }

  @Mutation(() => Draft, {
    description: "The draft of a published post of one's own, made if there is none.",
  })
  editPost(@Ctx() { ctx }: MutationContext, @Arg("id", () => ID) id: string) {
    return drafts.editPost(ctx, id);
  }

  @FieldResolver(() => Picture, { nullable: true, description: "Its cover; null for none or its post's." })
  picture(@Root() draft: drafts.Draft, @Ctx() { loaders }: GraphQLContext) {
    return draft.pictureId && loaders.uploads.load(draft.pictureId);
  }

  @FieldResolver(() => Image, { nullable: true, description: "The cover that its post would have." })
  async image(@Root() draft: drafts.Draft, @Ctx() { ctx, loaders }: GraphQLContext) {
    const upload = draft.pictureId ? await loaders.uploads.load(draft.pictureId) : undefined;
    const post =
      !upload && draft.postId ? await loaders.posts.load(draft.postId, { image: true }) : undefined;
    const picture = upload?.picture ?? post?.image;
    return picture ? imageOf(ctx, picture, draft.alt || upload?.alt || draft.title) : null;
  }

  @FieldResolver(() => Profile, { description: "Its author." })
  user(@Root() draft: drafts.Draft, @Ctx() { loaders }: GraphQLContext) {
    return loaders.profiles.load(draft.userId);
  }

  @FieldResolver(() => Post, {
    nullable: true,
    description: "The post that it will change; null for a new one.",
  })
  post(@Root() draft: drafts.Draft, @Ctx() { loaders }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    return draft.postId && loaders.posts.load(draft.postId, batchSelectionOf(info));
  }
}

@Resolver(() => Viewer)
export class ViewerDraftsResolver {
  @FieldResolver(() => DraftConnection, { description: "The account's drafts, newest first." })
  async drafts(
    @Ctx() { ctx }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    const withTexts = nodeSelectionOf(info).description === true;
    return DraftConnection.of(await drafts.readDrafts(ctx, { ...pageArgs }, withTexts));
  }
}
