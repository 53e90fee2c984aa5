import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The editor sets styles from code; nothing else is allowed that a page of the blog may not. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join("; ");

/** A browser that shows a page, not a program that asks. */
export const wantsPage = ({ method, headers }: FastifyRequest) =>
  method === "GET" && headers.accept?.includes("text/html") === true;

/**
 * The page on which people try the API: /playground, and /graphql for who wants to see a page.
 * @param folder its build
 * @returns what answers with the page
 */
export async function serveExplorer(app: FastifyInstance, folder: string) {
  const html = await readFile(join(folder, "index.html"), "utf8");
  const showExplorer = (reply: FastifyReply) =>
    reply.header("content-security-policy", POLICY).type("text/html; charset=utf-8").send(html);
  app.get("/playground", (_request, reply) => showExplorer(reply.header("cache-control", "no-cache")));
  await app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: "/playground/assets/",
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => reply.header("cache-control", "public, max-age=31536000, immutable"),
  });
  return showExplorer;
}
