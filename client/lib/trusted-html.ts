type Policy = { createHTML: (html: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

/** The only policy that the CSP allows; undefined on the server and in browsers without Trusted Types. */
const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy("blog", {
  createHTML: (html) => html,
});

/** Use only for HTML that the server sanitized (`Post.descriptionHtml`), or that is parsed and never shown. */
export const trustedHtml = (html: string): string => policy?.createHTML(html) ?? html;
