import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { canEdit } from "../../domain/permissions.ts";
import type * as drafts from "../../domain/writing/drafts.ts";
import * as links from "../../domain/writing/preview-links.ts";
import * as previews from "../../domain/writing/previews.ts";
import { pictureIdsIn } from "../../domain/writing/text-pictures.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { Draft } from "../types/drafts.types.ts";

@Resolver(() => Draft)
export class PreviewsResolver {
  @Query(() => Draft, {
    nullable: true,
    description: "The draft of a preview link, for everybody with its token; null once the link is revoked.",
  })
  preview(@Ctx() { ctx, caching }: GraphQLContext, @Arg("token", () => String) token: string) {
    caching.isPrivate = true;
    return links.findPreview(ctx, token);
  }

  @Query(() => String, {
    description:
      "A text as the sanitized HTML that a post would have. Send it by POST: it is private and long.",
  })
  previewMarkdown(@Ctx() { ctx }: GraphQLContext, @Arg("text", () => String) text: string) {
    return previews.previewMarkdown(ctx, { text });
  }

  @Mutation(() => Draft, {
    description: "Lets everybody with `previewUrl` read the draft; changes nothing if there is a link.",
  })
  createPreviewLink(@Ctx() { ctx }: MutationContext, @Arg("draftId", () => ID) draftId: string) {
    return links.createPreviewLink(ctx, draftId);
  }

  @Mutation(() => Draft, {
    description: "Nobody can open the link any more; the next one has another secret.",
  })
  revokePreviewLink(@Ctx() { ctx }: MutationContext, @Arg("draftId", () => ID) draftId: string) {
    return links.revokePreviewLink(ctx, draftId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The address of its preview link, for its author; null for none.",
  })
  async previewUrl(@Root() draft: drafts.Draft, @Ctx() { ctx, loaders }: GraphQLContext) {
    if (!canEdit(ctx, draft)) return null;
    const token = await loaders.previewTokens.load(draft.id);
    return token ? links.previewUrlOf(ctx, token) : null;
  }

  @FieldResolver(() => String, { description: "The text as the sanitized HTML that its post would have." })
  async descriptionHtml(@Root() draft: drafts.Draft, @Ctx() { ctx, loaders }: GraphQLContext) {
    const ids = pictureIdsIn(draft.description);
    const found = await Promise.all(ids.map((id) => loaders.uploads.load(id)));
    return previews.renderDraft(
      ctx,
      draft,
      found.filter((upload) => upload !== undefined),
    );
  }
}
