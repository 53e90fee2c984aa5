type Policy = { createHTML: (html: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

/** The only policy that the site's Content-Security-Policy allows; none on the server and in some browsers. */
const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy("blog", {
  createHTML: (html) => html,
});

/** For HTML that the server sanitized (`Post.descriptionHtml`), and nothing else. */
export const trustedHtml = (html: string): string => policy?.createHTML(html) ?? html;
