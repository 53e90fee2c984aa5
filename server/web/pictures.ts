import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenPicture } from "../domain/ports.ts";
import type { ReserveBytes } from "../http/limits/unread-responses.ts";
import { StoreUnavailable } from "../errors.ts";
import { chargePictureBytes } from "../event-loop/time-budget.ts";
import { PICTURE_FILE_BYTES } from "../limits.ts";
import { networkOf } from "../networks.ts";
import { createBulkhead } from "../queue.ts";
import { parsePictureUrl } from "./picture-urls.ts";

const limitPictures = createBulkhead("pictures");

const MAX_DELAY_MS = 5_000;

type Options = {
  open: OpenPicture;
  /** The key of fair queueing. */
  originOf: (request: FastifyRequest) => string;
  setHeaders: (reply: FastifyReply) => void;
  reserveBytes: ReserveBytes;
};

/** @returns whether there is such a picture @throws UNAVAILABLE */
export const sendPictures =
  ({ open, originOf, setHeaders, reserveBytes }: Options) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const picture = parsePictureUrl(request.url);
    if (!picture) return false;
    const { id, file } = picture;
    const { method, headers, raw } = request;
    const origin = originOf(request);
    const isGone = () => raw.socket.destroyed;
    let release = (): void => undefined;
    const admit = async (bytes: number) => {
      if (bytes > PICTURE_FILE_BYTES) throw new StoreUnavailable(new Error(`the picture has ${bytes} bytes`));
      const delay = chargePictureBytes(networkOf(origin), bytes);
      if (delay > 0) await setTimeout(Math.min(delay, MAX_DELAY_MS));
      release = await reserveBytes(bytes);
      return !isGone();
    };
    try {
      const read = async () => (isGone() ? null : open({ id, file, method, origin, headers, admit }));
      const found = await limitPictures(read, origin);
      if (isGone()) {
        reply.hijack();
        return true;
      }
      if (!found) return false;
      if (found.status !== 416) setHeaders(reply);
      void reply
        .code(found.status)
        .headers(found.headers)
        .send(found.body ?? undefined);
      return true;
    } finally {
      // Then the connection has the response, and its unread bytes count.
      setImmediate(release);
    }
  };
