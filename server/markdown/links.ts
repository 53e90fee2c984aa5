import type { Element } from "hast";
import { idPrefix } from "./schema.ts";

const skipped = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const schemes = new Set(["http", "https", "mailto"]);

/** The address if it leads to the web, a letter or somewhere on this site; undefined for any other scheme. */
const safeHref = (href: string): string | undefined => {
  const head = href.slice(0, 200).replace(skipped, "");
  const scheme = /^([^/?#:]*):/u.exec(head)?.[1];
  if (scheme === undefined) return /^[^/?#]*:/u.test(href) ? undefined : href;
  if (!schemes.has(scheme.toLowerCase())) return undefined;
  // The schema compares letter by letter; `HTTPS:` is the same as `https:`, blanks inside a scheme are not.
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

/** `#heading` as the writer knows it becomes `#post-heading`, the id that heading got; others stay as they are. */
const ownFragment = (href: string, ids: ReadonlySet<string>): string => {
  const id = idPrefix + decoded(href.slice(1)).toLowerCase();
  return ids.has(id) ? `#${encodeURIComponent(id)}` : href;
};

/** Gives a link its checked address and `rel`; false where no address is left and only its text may stay. */
export const mendLink = (link: Element, ids: ReadonlySet<string>): boolean => {
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
