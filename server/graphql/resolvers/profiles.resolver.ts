import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from "type-graphql";
import { profilePath } from "../../http/addresses.ts";
import { canEditProfile } from "../../domain/permissions.ts";
import { photoOf } from "../../domain/pictures.ts";
import { deleteProfile } from "../../domain/profile-deletions.ts";
import * as photos from "../../domain/profile-photos.ts";
import * as profiles from "../../domain/profiles.ts";
import { PageArgs } from "../types/connections.types.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { nullIfMissing } from "../endpoint/errors.ts";
import { Image } from "../types/images.types.ts";
import { Deleted } from "../types/messages.types.ts";
import { PostConnection } from "../types/posts.types.ts";
import { Profile, ProfileChanges } from "../types/profiles.types.ts";
import { Viewer } from "../types/sessions.types.ts";
import { withImage, type UploadedFile } from "../endpoint/uploads.ts";
import { nodeSelectionOf } from "../selection.ts";
import type { PostSelection } from "../../domain/post-selection.ts";
import type { ConnectionArgs } from "../../domain/lists/connections.ts";
import { Upload } from "../types/scalars.ts";

@Resolver(() => Profile)
export class ProfilesResolver {
  @Query(() => Profile, { nullable: true })
  profile(@Ctx() { ctx }: GraphQLContext, @Arg("id", () => ID) id: string) {
    return nullIfMissing(profiles.readProfile(ctx, id));
  }

  @Mutation(() => Profile)
  updateProfile(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("input", () => ProfileChanges) input: ProfileChanges,
  ) {
    return profiles.updateProfile(ctx, id, { ...input });
  }

  @Mutation(() => Viewer)
  uploadProfilePhoto(
    @Ctx() { ctx }: MutationContext,
    @Arg("image", () => Upload) image: Promise<UploadedFile>,
  ) {
    return withImage(ctx, { fields: {}, image }, (readForm) => photos.uploadProfilePhoto(ctx, readForm));
  }

  @Mutation(() => Deleted, {
    description: "Deletes an account and everything that it wrote: at once, or within minutes if it is much.",
  })
  deleteProfile(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("currentPassword", () => String, {
      nullable: true,
      description: "For one's own account; needed when the sign-in is older than two hours.",
    })
    currentPassword?: string | null,
  ) {
    return deleteProfile(ctx, id, currentPassword == null ? {} : { currentPassword });
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "For the account itself and for admins, else null.",
  })
  email(@Root() profile: profiles.Profile, @Ctx() { ctx }: GraphQLContext) {
    return profiles.visibleEmail(ctx, profile);
  }

  @FieldResolver(() => String, { description: "The absolute address of its page." })
  url(@Root() profile: profiles.Profile, @Ctx() { ctx }: GraphQLContext) {
    return ctx.siteUrl + profilePath(profile.id);
  }

  @FieldResolver(() => Image)
  profilePhoto(@Root() profile: profiles.Profile, @Ctx() { ctx }: GraphQLContext) {
    return photoOf(ctx, profile);
  }

  @FieldResolver(() => PostConnection, { description: "Newest first." })
  async posts(
    @Root() profile: profiles.Profile,
    @Ctx() { loaders }: GraphQLContext,
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    const args: [ConnectionArgs, PostSelection] = [{ ...pageArgs }, nodeSelectionOf(info)];
    const countAll = async () => (await loaders.postCountsOfAuthor.load(profile.id)) ?? 0;
    return PostConnection.of({ ...(await loaders.postsOfAuthor.load(profile.id, args)), countAll });
  }

  @FieldResolver(() => Boolean)
  viewerCanEdit(@Root() profile: profiles.Profile, @Ctx() { ctx }: GraphQLContext) {
    return canEditProfile(ctx, profile);
  }
}
