import type { Element } from "hast";
import { idPrefix } from "./schema.ts";

const ignorable = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const schemes = new Set(["http", "https", "mailto"]);

/** @returns undefined for any scheme but http, https and mailto; relative URLs pass */
const safeHref = (href: string): string | undefined => {
  const head = href.slice(0, 200).replace(ignorable, "");
  const scheme = /^([^/?#:]*):/u.exec(head)?.[1];
  if (scheme === undefined) return /^[^/?#]*:/u.test(href) ? undefined : href;
  if (!schemes.has(scheme.toLowerCase())) return undefined;
  // The schema is case-sensitive, so `HTTPS:` is normalised. Ignorable characters inside a scheme are not accepted.
  const plain = `${scheme}:`;
  return href.startsWith(plain) ? scheme.toLowerCase() + href.slice(scheme.length) : undefined;
};

const decoded = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};

/** `#heading` becomes `#post-heading` if a heading has that id. */
const ownFragment = (href: string, ids: ReadonlySet<string>): string => {
  const id = idPrefix + decoded(href.slice(1)).toLowerCase();
  return ids.has(id) ? `#${encodeURIComponent(id)}` : href;
};

/** Sanitizes `href` and sets `rel`. @returns false if the link has to be replaced by its text */
export const sanitizeLink = (link: Element, ids: ReadonlySet<string>): boolean => {
  const { href } = link.properties;
  const safe = typeof href === "string" ? safeHref(href) : undefined;
  if (safe === undefined) return false;
  if (safe.startsWith("#")) {
    link.properties["href"] = ownFragment(safe, ids);
  } else {
    link.properties["href"] = safe;
    link.properties["rel"] = ["nofollow", "ugc", "noopener"];
  }
  return true;
};
