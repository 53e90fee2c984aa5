import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { docsPage } from "./docs-page.ts";
import { DOCS_STYLE } from "./docs-style.ts";
import type { describeApi } from "./openapi.ts";

const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** In the head, so that the page does not flash: the theme chosen on the site, else the system's. */
const THEME = `(function () {
  var root = document.documentElement, theme = null;
  try { theme = localStorage.getItem("theme") } catch (e) {}
  if (theme !== "light" && theme !== "dark") theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = theme;
  root.classList.toggle("dark-mode", theme === "dark");
})();
`;

const START = `SwaggerUIBundle({ url: "openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
`;

/**
 * Serves /api/openapi.json, made at the first request, and at /api/docs a guide with Swagger UI from the package, without a CDN.
 * @param sheet the site's style sheet: its type and colours
 */
export async function serveDocs(
  app: FastifyInstance,
  { publicUrl, describe }: { publicUrl: string; describe: () => ReturnType<typeof describeApi> },
  sheet: string,
): Promise<void> {
  const { origin } = new URL(publicUrl);
  // Without a preload the browser would show another face (fonts.css).
  const [, font] = /url\("?([^")]+newsreader-[^")]+\.woff2)/.exec(sheet) ?? [];
  const page = Buffer.from(docsPage(origin, font));
  let made: { text: Buffer; etag: string } | undefined;
  app.get("/openapi.json", (_request, reply) => {
    made ??= withETag(JSON.stringify(describe()));
    return reply.header("etag", made.etag).type("application/json; charset=utf-8").send(made.text);
  });
  app.get("/docs", async (_request, reply) => {
    reply.header("content-security-policy", policyFor(origin));
    return reply.type("text/html; charset=utf-8").send(page);
  });
  const files = [
    ["theme.js", "text/javascript", THEME],
    ["start.js", "text/javascript", START],
    ["docs.css", "text/css", sheet + DOCS_STYLE],
  ] as const;
  for (const [name, type, text] of files) {
    const body = Buffer.from(text);
    app.get(`/docs/${name}`, async (_request, reply) => reply.type(`${type}; charset=utf-8`).send(body));
  }
  await app.register(fastifyStatic, {
    root: folder,
    prefix: "/docs/",
    decorateReply: false,
    index: false,
    cacheControl: false,
    allowedPath: (path) => /^\/(swagger-ui\.css|swagger-ui-bundle\.js)$/.test(path),
  });
}

/** Hashing the document takes longer than sending it. */
const withETag = (text: string) => ({
  text: Buffer.from(text),
  etag: `"${createHash("sha256").update(text).digest("base64url")}"`,
});

/** Swagger UI shows pictures as data and blobs, and calls the blog by its public URL. */
const policyFor = (origin: string) =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:",
    `connect-src 'self' ${origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ].join("; ");
