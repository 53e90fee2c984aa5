import { createRequire } from "node:module";
import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { describeApi } from "./openapi.ts";

const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The blog in REST</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<main id="docs"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`;

const start = `document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);
SwaggerUIBundle({ url: "openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
`;

/** Serves /api/openapi.json, and Swagger UI at /api/docs from the installed package, without a CDN. */
export async function serveDocs(
  app: FastifyInstance,
  document: ReturnType<typeof describeApi>,
): Promise<void> {
  app.get("/openapi.json", async () => document);
  app.get("/docs", async (_request, reply) => {
    reply.header("content-security-policy", policyFor(document.servers[0]?.url ?? ""));
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.get("/docs/start.js", async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(start),
  );
  await app.register(fastifyStatic, {
    root: folder,
    prefix: "/docs/",
    decorateReply: false,
    index: false,
    cacheControl: false,
    allowedPath: (path) => /^\/(swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/.test(path),
  });
}

/** Looser than the site's policy: Swagger UI sets inline styles, and calls the blog by its public URL. */
const policyFor = (server: string) =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:",
    `connect-src 'self' ${new URL(server).origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ].join("; ");
