import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The blog's own policy, but for inline styles, which the editor sets. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join("; ");

export const acceptsHtml = ({ method, headers }: FastifyRequest) =>
  method === "GET" && headers.accept?.includes("text/html") === true;

/** Serves the explorer's build at /playground. @returns a function that sends the page, for /graphql */
export async function serveExplorer(app: FastifyInstance, folder: string) {
  const html = await readFile(join(folder, "index.html"), "utf8");
  const showExplorer = (reply: FastifyReply) =>
    reply.header("content-security-policy", POLICY).type("text/html; charset=utf-8").send(html);
  app.get("/playground", (_request, reply) => showExplorer(reply.header("cache-control", "no-cache")));
  await app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: "/playground/assets/",
    wildcard: false,
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => reply.header("cache-control", "public, max-age=31536000, immutable"),
  });
  return showExplorer;
}
