import type { PictureFragment } from "../../generated/graphql.ts";
import "./picture.css";

type Props = {
  image: PictureFragment;
  /** The rendered width, as in an img's `sizes`. */
  sizes: string;
  /** Skips AVIF, whose files are too small for a wide rendering on a large screen. */
  wide?: boolean;
  /** Loads at once, for the first picture of a page; all others load lazily. */
  eager?: boolean;
  /** Shows all of it in its own ratio, instead of a part of 3:2. */
  whole?: boolean;
  /** Uses an empty alt text, where text next to it says the same. */
  decorative?: boolean;
};

/** Shows a blurred placeholder in a frame of the final size until the picture has loaded. */
export function Picture({
  image,
  sizes,
  wide = false,
  eager = false,
  whole = false,
  decorative = false,
}: Props) {
  return (
    <span className={whole ? "picture whole" : "picture"}>
      {image.placeholder && <img className="hint" src={image.placeholder} alt="" aria-hidden="true" />}
      <picture>
        {image.avifSrcset && (
          <source
            type="image/avif"
            media={wide ? "(width < 60rem)" : undefined}
            srcSet={image.avifSrcset}
            sizes={sizes}
          />
        )}
        <img
          src={image.url}
          srcSet={image.srcset || undefined}
          sizes={sizes}
          width={image.width}
          height={image.height}
          alt={decorative ? "" : image.alt}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : undefined}
          // Synchronous decoding paints it in one frame; the boot script loads scripts after that paint.
          decoding={eager ? "sync" : "async"}
        />
      </picture>
    </span>
  );
}
