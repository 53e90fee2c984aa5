import "./avatar.css";

type Props = { url: string; srcset?: string; size?: "small" | "medium" | "large" };

/** A round photo; the name stands beside it, so it says nothing itself. */
export const Avatar = ({ url, srcset, size = "small" }: Props) => (
  <img
    className={`avatar ${size}`}
    src={url}
    srcSet={srcset || undefined}
    sizes={size === "large" ? "128px" : "48px"}
    width={48}
    height={48}
    alt=""
    loading="lazy"
    decoding="async"
  />
);
