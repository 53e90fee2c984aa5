import "./avatar.css";

const widths = { small: "32px", medium: "48px", large: "128px" };

type Props = { url: string; srcset?: string; size?: keyof typeof widths };

/** Has an empty alt text, because the name is always next to it. */
export const Avatar = ({ url, srcset, size = "small" }: Props) => (
  <img
    className={`avatar ${size}`}
    src={url}
    srcSet={srcset || undefined}
    sizes={widths[size]}
    width={48}
    height={48}
    alt=""
    loading="lazy"
    decoding="async"
  />
);
