import type { PictureFragment } from "../../generated/graphql.ts";
import "./picture.css";

type Props = {
  image: PictureFragment;
  /** How wide it is shown, as in an img's `sizes`. */
  sizes: string;
  /** Drawn wider on a large screen than AVIF is made. */
  wide?: boolean;
  /** The first picture of a page is fetched at once, all others when they come near. */
  eager?: boolean;
  /** Where the text beside it says the same already. */
  decorative?: boolean;
};

/** A picture in a frame of fixed shape: a blurred hint first, then the file that fits. */
export function Picture({ image, sizes, wide = false, eager = false, decorative = false }: Props) {
  return (
    <span className="picture">
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
          // In the frame it arrives for: scripts wait for that paint, and must not come before it.
          decoding={eager ? "sync" : "async"}
        />
      </picture>
    </span>
  );
}
