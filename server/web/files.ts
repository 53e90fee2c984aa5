import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ASSETS, excludeFromPages, MEDIA } from "../http/addresses.ts";

const YEAR = "public, max-age=31536000, immutable";

/** Serves the client's build and the pictures. Their names contain a hash or are random, so files are immutable. */
export async function serveFiles(app: FastifyInstance, dist: string, mediaFolder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(dist, "client"),
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ["manifest.json", "**/*.{br,gz,map}"],
    setHeaders: (reply, path) => {
      reply.header("cache-control", path.includes(ASSETS) ? YEAR : "public, max-age=3600");
    },
  });
  excludeFromPages(app, `${ASSETS}*`);
  await app.register(fastifyStatic, {
    root: mediaFolder,
    prefix: MEDIA,
    decorateReply: false,
    index: false,
    cacheControl: false,
    dotfiles: "deny",
    setHeaders: (reply) => {
      reply.header("cache-control", YEAR);
      reply.header("content-security-policy", "default-src 'none'; sandbox");
    },
  });
}
