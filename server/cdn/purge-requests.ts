import type { HttpThread, OutgoingRequest } from "../outgoing/http-thread.ts";
import { withDeadline } from "../with-deadline.ts";

export const purgeForms = ["webhook", "fastly", "cloudflare"] as const;
export type PurgeForm = (typeof purgeForms)[number];

export type PurgeTarget = {
  url: string;
  form: PurgeForm;
  token: string | undefined;
  /** The built `server/outgoing/http-worker.ts`. */
  httpWorkerFile: string;
};

/** Milliseconds for an answer and its body, of which only the status matters. */
const TIMEOUT = 5_000;
const MAX_BYTES = 64 * 1024;

type Format = {
  maxTags: number;
  request: (tags: string[], token: string | undefined) => { headers: Record<string, string>; body?: string };
};

const json = { "content-type": "application/json" };
const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const formats: Record<PurgeForm, Format> = {
  // Varnish cannot read a body, so the header repeats it.
  webhook: {
    maxTags: 250,
    request: (tags, token) => ({
      headers: { ...json, ...bearer(token), "surrogate-key": tags.join(" ") },
      body: JSON.stringify({ tags }),
    }),
  },
  fastly: {
    maxTags: 250,
    request: (tags, token = "") => ({
      headers: { accept: "application/json", "fastly-key": token, "surrogate-key": tags.join(" ") },
    }),
  },
  cloudflare: {
    maxTags: 30,
    request: (tags, token) => ({ headers: { ...json, ...bearer(token) }, body: JSON.stringify({ tags }) }),
  },
};

/** Has a CDN remove all responses with one of the tags. @throws an error whose message holds no secret */
export async function requestPurge(
  thread: HttpThread,
  { url, form, token }: PurgeTarget,
  tags: string[],
): Promise<void> {
  const { maxTags, request } = formats[form];
  for (let first = 0; first < tags.length; first += maxTags)
    await post(thread, { url, ...request(tags.slice(first, first + maxTags), token) });
}

const post = (thread: HttpThread, request: Omit<OutgoingRequest, "method">): Promise<void> =>
  withDeadline(TIMEOUT, async (signal) => {
    const response = await thread.send({ method: "POST", ...request }, signal).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(signal.aborted ? `no answer within ${TIMEOUT} ms` : (code ?? "no answer"));
    });
    // Read, so that its connection is used again.
    await response.read(MAX_BYTES).catch(() => undefined);
    if (response.status < 200 || response.status > 299) throw new Error(`status ${response.status}`);
  });
