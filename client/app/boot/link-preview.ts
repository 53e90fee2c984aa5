import { categoryPath, paths, profilePath } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/site.ts";

// The parts of the head for programs that load a single page: link previews (Open Graph) and search engines (JSON-LD).
// Only the server adds them, and `useLinkPreviewRemoval` removes them when the page changes in the browser.

type Site = {
  title: string;
  url: string;
};

/** @returns elements as HTML; a page without a path is not listed by search engines */
export function linkPreview(site: Site, page: PageMetadata): string {
  if (page.path === undefined) return '<meta name="robots" content="noindex">';
  const url = site.url + page.path;
  const properties = Object.entries({ ...openGraph(site, page, url), ...articleProperties(site, page) });
  return [
    ...properties.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    ...(page.article ? [oEmbedLink(site, url)] : []),
    `<script type="application/ld+json">${jsonForHtml(structuredData(site, page, url))}</script>`,
  ].join("");
}

const DEFAULT_CARD = "/card.png";

const openGraph = (site: Site, { title, description, article, profile }: PageMetadata, url: string) => ({
  "og:type": article ? "article" : profile ? "profile" : "website",
  "og:site_name": site.title,
  "og:title": title,
  ...(description && { "og:description": description }),
  "og:url": url,
  "og:image": article?.cardUrl ?? site.url + DEFAULT_CARD,
  "og:image:width": "1200",
  "og:image:height": "630",
  "og:image:alt": article?.title ?? site.title,
  ...(profile && { "profile:username": profile.username }),
});

const articleProperties = (site: Site, { article }: PageMetadata) =>
  article && {
    "article:published_time": article.createdAt,
    "article:modified_time": article.updatedAt,
    "article:author": site.url + profilePath(article.user.id),
    "article:section": article.category,
  };

const oEmbedLink = (site: Site, url: string) => {
  const address = `${site.url}/oembed?url=${encodeURIComponent(url)}`;
  return `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(address)}">`;
};

function structuredData(site: Site, page: PageMetadata, url: string): object {
  const { article, profile } = page;
  const nodes = [
    ...(page.path === paths.home ? [webSite(site)] : [breadcrumbs(site, page, url)]),
    ...(article ? [blogPosting(site, page, article, url)] : []),
    ...(profile ? [profilePage(profile, url)] : []),
  ];
  return { "@context": "https://schema.org", "@graph": nodes };
}

const webSite = ({ title, url }: Site) => ({
  "@type": "WebSite",
  name: title,
  url: `${url}/`,
  potentialAction: {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${url}${paths.search}?q={search_term_string}` },
    "query-input": "required name=search_term_string",
  },
});

function breadcrumbs(site: Site, { title, path, article }: PageMetadata, url: string) {
  const trail = [
    { name: site.title, item: `${site.url}/` },
    ...(path?.startsWith(`${paths.posts}/`) ? [{ name: "Posts", item: site.url + paths.posts }] : []),
    ...(article ? [{ name: article.category, item: site.url + categoryPath(article.category) }] : []),
    { name: title, item: url },
  ];
  const itemListElement = trail.map((step, index) => ({ "@type": "ListItem", position: index + 1, ...step }));
  return { "@type": "BreadcrumbList", itemListElement };
}

const blogPosting = (
  site: Site,
  { description }: PageMetadata,
  { title, cardUrl, createdAt, updatedAt, category, user }: NonNullable<PageMetadata["article"]>,
  url: string,
) => ({
  "@type": "BlogPosting",
  headline: title,
  ...(description && { description }),
  image: [cardUrl],
  datePublished: createdAt,
  dateModified: updatedAt,
  articleSection: category,
  author: { "@type": "Person", name: user.username, url: site.url + profilePath(user.id) },
  publisher: { "@type": "Organization", name: site.title, url: `${site.url}/` },
  mainEntityOfPage: url,
  url,
});

const profilePage = (
  { username, bio, createdAt, profilePhoto }: NonNullable<PageMetadata["profile"]>,
  url: string,
) => ({
  "@type": "ProfilePage",
  dateCreated: createdAt,
  url,
  mainEntity: {
    "@type": "Person",
    name: username,
    ...(bio && { description: bio }),
    image: profilePhoto.url,
    url,
  },
});

const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => references[sign] ?? "");

/** JSON in a script element; `<` is escaped so that no text can close the element. */
export const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
