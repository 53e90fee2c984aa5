import type { Options } from "rehype-sanitize";

/** Prefix of every id in a text, so that authors cannot shadow an id of the page. */
export const idPrefix = "post-";

export const languageClass = /^language-[a-z0-9+#-]{1,20}$/u;

const id: [string, RegExp] = ["id", /^post-./u];
/** The paths of pictures on this site (`Picture.markdown`). */
const pictureSrc: [string, RegExp] = [
  "src",
  /^\/media\/[0-9a-f]{2}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/picture\.jpg$/u,
];
const align: [string, ...string[]] = ["align", "left", "right", "center"];

/** The allow-list of rendered HTML. `clobber` is empty since `heading-ids.ts` prefixes ids and others do not pass. */
export const schema: Options = {
  tagNames: [
    ...["p", "br", "hr", "strong", "em", "del", "a", "ul", "ol", "li", "blockquote", "pre", "code"],
    ...["table", "thead", "tbody", "tr", "th", "td", "h2", "h3", "sup", "section", "input", "img"],
  ],
  attributes: {
    a: [
      ["ariaDescribedBy", "post-footnote-label"],
      ["ariaLabel", /^Back to reference [0-9-]{1,16}$/u],
      ["rel", "nofollow", "ugc", "noopener"],
      "dataFootnoteBackref",
      "dataFootnoteRef",
      "href",
      id,
    ],
    code: [["className", languageClass]],
    h2: [id],
    h3: [id],
    img: [pictureSrc, "alt", "title"],
    input: [["type", "checkbox"], ["disabled", true], "checked"],
    li: [id],
    ol: ["start"],
    section: ["dataFootnotes", ["className", "footnotes"]],
    td: [align],
    th: [align],
  },
  ancestors: {
    tbody: ["table"],
    thead: ["table"],
    tr: ["table"],
    td: ["table"],
    th: ["table"],
    li: ["ol", "ul"],
  },
  required: { input: { type: "checkbox", disabled: true } },
  protocols: { href: ["http", "https", "mailto"] },
  clobber: [],
  clobberPrefix: "",
  strip: [],
};
