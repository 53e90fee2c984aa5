import type { FastifyInstance } from "fastify";

export type Site = { publicUrl: string; siteTitle: string };

const DAY = "public, max-age=86400";

/** The files at fixed addresses that name the site: for crawlers, and for browsers that install it. */
export function serveSiteFiles(app: FastifyInstance, site: Site): void {
  const robots = robotsOf(site);
  const manifest = JSON.stringify(manifestOf(site));
  app.get("/robots.txt", async (_request, reply) =>
    reply.header("cache-control", DAY).type("text/plain; charset=utf-8").send(robots),
  );
  app.get("/manifest.webmanifest", async (_request, reply) =>
    reply.header("cache-control", DAY).type("application/manifest+json; charset=utf-8").send(manifest),
  );
}

/** Names no page that must not be listed: a crawler that may not load a page does not see its robots tag. */
const robotsOf = ({ publicUrl }: Site) =>
  ["User-agent: *", "Allow: /api/docs", "Disallow: /api/", `Sitemap: ${publicUrl}/sitemap.xml`, ""].join(
    "\n",
  );

const manifestOf = ({ siteTitle }: Site) => ({
  id: "/",
  name: siteTitle,
  short_name: siteTitle,
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#fcf9f4",
  theme_color: "#fcf9f4",
  icons: [
    { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
    { src: "/icon-192.png", type: "image/png", sizes: "192x192" },
    { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
    { src: "/icon-maskable-512.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
  ],
});
