import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenPicture } from "../domain/ports.ts";
import { createBulkhead } from "../queue.ts";
import { parsePictureUrl } from "./picture-urls.ts";

const limitPictures = createBulkhead("pictures");

type Options = {
  open: OpenPicture;
  /** While pictures move, one may be in the folder, from which another handler sends it. */
  mediaFolder: string | null;
  /** The key of fair queueing. */
  originOf: (request: FastifyRequest) => string;
  setHeaders: (reply: FastifyReply) => void;
};

/** Sends a picture of the bucket. @returns whether the bucket has it @throws UNAVAILABLE */
export const sendFromBucket =
  ({ open, mediaFolder, originOf, setHeaders }: Options) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const picture = parsePictureUrl(request.url);
    if (!picture) return false;
    const { shard, id, file } = picture;
    if (mediaFolder && existsSync(join(mediaFolder, shard, id, file))) return false;
    const { method, headers } = request;
    const found = await limitPictures(() => open({ id, file, method, headers }), originOf(request));
    if (!found) return false;
    if (found.status !== 416) setHeaders(reply);
    reply.code(found.status).headers(found.headers);
    await reply.send(found.body ?? undefined);
    return true;
  };
