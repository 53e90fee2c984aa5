import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DEMO_PASSWORD } from "../../domain/accounts/common-passwords.ts";
import { isLocalRequest } from "../../http/local-request.ts";

/** The nonce is for the style sheets that GraphiQL's dialogs and menus add while they are open. */
const policyWith = (nonce: string) =>
  [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ].join("; ");

/** Read by client/explorer/settings.ts. */
const DEMO_LOGIN = `<meta name="demo-login" content="demo@example.com ${DEMO_PASSWORD}">`;

export const acceptsHtml = ({ method, headers }: FastifyRequest) =>
  method === "GET" && headers.accept?.includes("text/html") === true;

/**
 * Serves the explorer's build at /playground.
 * @param hasDemoLogins whether the demo accounts can sign in from this machine
 * @returns a function that sends the page, for /graphql
 */
export async function serveExplorer(app: FastifyInstance, folder: string, hasDemoLogins: boolean) {
  const html = await readFile(join(folder, "index.html"), "utf8");
  const showExplorer = (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString("base64");
    const demo = hasDemoLogins && isLocalRequest(request.raw) ? DEMO_LOGIN : "";
    return reply
      .header("content-security-policy", policyWith(nonce))
      .type("text/html; charset=utf-8")
      .send(html.replace("</head>", `<meta name="style-nonce" content="${nonce}">${demo}</head>`));
  };
  app.get("/playground", (request, reply) =>
    showExplorer(request, reply.header("cache-control", "no-cache")),
  );
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
