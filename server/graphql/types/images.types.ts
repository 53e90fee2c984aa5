import { Field, Int, ObjectType } from "type-graphql";

@ObjectType({ simpleResolvers: true, description: "A file of a picture." })
export class ImageVariant {
  @Field(() => String, { description: "Absolute." })
  url!: string;

  @Field(() => Int, { description: "In pixels." })
  width!: number;

  @Field(() => Int, { description: "In pixels." })
  height!: number;

  @Field(() => String, { description: "`jpeg`, `webp`, `avif` or, of the default photo, `png`." })
  format!: string;
}

@ObjectType({ simpleResolvers: true, description: "A picture: re-encoded, upright, without metadata." })
export class Image {
  @Field(() => String, { description: "Absolute address of a JPEG." })
  url!: string;

  @Field(() => Int, { description: "Pixels of the original." })
  width!: number;

  @Field(() => Int)
  height!: number;

  @Field(() => String, { description: "WebP files in several widths, as for an img element; may be empty." })
  srcset!: string;

  @Field(() => String, {
    nullable: true,
    description: "The same as AVIF up to 960 pixels wide, in half the bytes; null until that is made.",
  })
  avifSrcset!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "A data URI of a few pixels, for the time of loading.",
  })
  placeholder!: string | null;

  @Field(() => String)
  alt!: string;
}
