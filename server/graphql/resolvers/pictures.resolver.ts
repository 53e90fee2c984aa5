import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import * as pictures from "../../domain/pictures.ts";
import * as uploads from "../../domain/writing/uploads.ts";
import type { GraphQLContext, MutationContext } from "../context.ts";
import { withImage, type UploadedFile } from "../endpoint/uploads.ts";
import { Picture } from "../types/drafts.types.ts";
import { Image, ImageVariant } from "../types/images.types.ts";
import { Upload } from "../types/scalars.ts";

@Resolver(() => Image)
export class ImagesResolver {
  @FieldResolver(() => [ImageVariant], { description: "All its files, by format from the narrowest." })
  variants(@Root() image: pictures.Image, @Ctx() { ctx }: GraphQLContext) {
    return pictures.variantsOf(ctx, image);
  }
}

@Resolver(() => Picture)
export class PicturesResolver {
  @Mutation(() => Picture, {
    description: "Stores a picture for texts and covers. One that none has shown for a day is deleted.",
  })
  uploadPicture(
    @Ctx() { ctx }: MutationContext,
    @Arg("image", () => Upload) image: Promise<UploadedFile>,
    @Arg("alt", () => String) alt: string,
  ) {
    return withImage(ctx, { fields: { alt }, image }, (readForm) => uploads.uploadPicture(ctx, readForm));
  }

  @Mutation(() => Picture, {
    description: "For a picture of one's own; texts that describe it themselves keep theirs.",
  })
  updatePictureAlt(
    @Ctx() { ctx }: MutationContext,
    @Arg("id", () => ID) id: string,
    @Arg("alt", () => String) alt: string,
  ) {
    return uploads.updatePictureAlt(ctx, id, { alt });
  }

  @FieldResolver(() => ID)
  id(@Root() upload: uploads.Upload) {
    return upload.pictureId;
  }

  @FieldResolver(() => Image)
  image(@Root() upload: uploads.Upload, @Ctx() { ctx }: GraphQLContext) {
    return pictures.imageOf(ctx, upload.picture, upload.alt);
  }

  @FieldResolver(() => String, { description: "What shows it in a text." })
  markdown(@Root() upload: uploads.Upload, @Ctx() { ctx }: GraphQLContext) {
    return uploads.markdownOf(ctx, upload);
  }
}
