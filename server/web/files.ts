import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { MediaStore, OpenPicture } from "../domain/ports.ts";
import { WORKER } from "./assets.ts";
import { ASSETS, excludeFromPages, MEDIA } from "../http/addresses.ts";
import type { ReserveBytes } from "../http/limits/unread-responses.ts";
import { createBulkhead } from "../queue.ts";
import { parsePictureUrl } from "./picture-urls.ts";
import { sendPictures } from "./pictures.ts";

const YEAR = "public, max-age=31536000, immutable";

const limitCards = createBulkhead("cards");

type Options = {
  dist: string;
  openPicture: OpenPicture;
  media: Pick<MediaStore, "addCard">;
  originOf: (request: FastifyRequest) => string;
  reserveBytes: ReserveBytes;
};

/** Serves the client's build and the pictures. Their names contain a hash or are random, so files are immutable. */
export async function serveFiles(app: FastifyInstance, options: Options): Promise<void> {
  const { dist } = options;
  await app.register(fastifyStatic, {
    root: join(dist, "client"),
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ["manifest.json", WORKER, "**/*.{br,gz,map}"],
    setHeaders: (reply, path) => {
      reply.header("cache-control", path.includes(ASSETS) ? YEAR : "public, max-age=3600");
    },
  });
  excludeFromPages(app, `${ASSETS}*`);
  await app.register((scope) => serveMedia(scope, options));
}

async function serveMedia(app: FastifyInstance, options: Options): Promise<void> {
  const { media, openPicture: open, originOf, reserveBytes } = options;
  const send = sendPictures({ open, originOf, setHeaders, reserveBytes });
  /** Few pictures are ever shared as links, so their cards are made on the first request. */
  const addCard = async (request: FastifyRequest): Promise<boolean> => {
    const picture = parsePictureUrl(request.url);
    if (picture?.file !== "card.jpg") return false;
    const origin = originOf(request);
    const add = () => media.addCard(picture.id, origin).catch(ignoreMissing);
    await limitCards(add, origin);
    return true;
  };
  app.route({
    method: ["GET", "HEAD"],
    url: `${MEDIA}*`,
    handler: async (request, reply) => {
      if (await send(request, reply)) return reply;
      if ((await addCard(request)) && (await send(request, reply))) return reply;
      reply.callNotFound();
      return reply;
    },
  });
}

function setHeaders(reply: Pick<FastifyReply, "header">): void {
  reply.header("cache-control", YEAR);
  reply.header("content-security-policy", "default-src 'none'; sandbox");
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
