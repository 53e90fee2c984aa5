import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenPicture } from "../domain/ports.ts";
import { createBulkhead } from "../queue.ts";
import { parsePictureUrl } from "./picture-urls.ts";

/** Each holds a connection to the bucket until its last byte is sent. */
export const limitPictures = createBulkhead("pictures");

type Options = {
  open: OpenPicture;
  /** While pictures move, one may be in the folder, from which another handler sends it. */
  mediaFolder: string | null;
  /** The key of fair queueing. */
  originOf: (request: FastifyRequest) => string;
  setHeaders: (reply: FastifyReply) => void;
};

/** Streams a picture from the bucket to the client. @returns whether the bucket has it @throws UNAVAILABLE */
export const sendFromBucket =
  ({ open, mediaFolder, originOf, setHeaders }: Options) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const picture = parsePictureUrl(request.url);
    if (!picture) return false;
    const { shard, id, file } = picture;
    if (mediaFolder && existsSync(join(mediaFolder, shard, id, file))) return false;
    const release = await limitPictures.enter(originOf(request));
    const { method, headers } = request;
    const found = await open({ id, file, method, headers }).catch((error: unknown) => {
      release();
      throw error;
    });
    if (!found?.body || isClosed(reply)) {
      release();
      found?.body?.destroy();
    } else reply.raw.once("close", release);
    if (!found) return false;
    if (found.status !== 416) setHeaders(reply);
    reply.code(found.status).headers(found.headers);
    await reply.send(found.body ?? undefined);
    return true;
  };

const isClosed = ({ raw }: FastifyReply) => raw.destroyed || raw.socket?.destroyed === true;
