import { randomInt } from "node:crypto";
import { withUnqueuedDb, type Ctx } from "./context.ts";
import { isTemporary } from "../errors.ts";
import { networkOf } from "../networks.ts";
import { createBulkhead, createKeyedQueues, createQueue } from "../queue.ts";
import { withMinimumDuration } from "./accounts/minimum-duration.ts";

/** One task of a kind at a time, so that deferred work does not use up the database connections. */
const relations = createBulkhead("relations");
const emailLimits = { concurrency: 1, timeoutMs: 60 * 60_000 };
const emails = createQueue({ ...emailLimits, maxQueued: 10_000 }, "emails");
/** Their senders had their response already, so none may be dropped: one network may send fewer in an hour. */
const networkEmails = createKeyedQueues({ ...emailLimits, maxQueued: 3_000 }, "network_emails");

/** Networks take turns, and in each of them recipients: a sender may invent any number of addresses. */
async function runEmail({ origin }: Ctx, recipient: string, work: () => Promise<void>): Promise<void> {
  const network = networkOf(origin);
  const release = await networkEmails(network, recipient);
  await emails(() => withMinimumDuration(work), network).finally(release);
}

let endings = 0;

/** @returns work that is repeated while the database is away, as long as an email may wait, or until all deferred work has to end */
function repeatWhileUnavailable(work: () => Promise<void>): () => Promise<void> {
  const [since, begun] = [performance.now(), endings];
  const isOver = () => endings > begun || performance.now() - since > emailLimits.timeoutMs;
  const attempt = (): Promise<void> =>
    work().catch((error: unknown) => {
      if (isOver() || !isTemporary(error)) throw error;
      return delay().then(attempt);
    });
  return attempt;
}

/** `key`: the recipient of an email; for other work the key of its queue. */
type Kind = { kind: "emails" | "relations"; key: string };

/** Milliseconds between a response and its email, so that the duration of the next request does not reveal the email. */
const EMAIL_DELAY = [1_000, 5_000] as const;
const MAX_DELAYED = 1_000;

const pending = new Set<Promise<void>>();
const delays = new Set<() => void>();

/** Runs work after the response, which its caller need not wait for, or whose duration could reveal who has an account. */
export function runDeferred(
  ctx: Ctx,
  { kind, key }: Kind,
  work: (ctx: Ctx) => Promise<void>,
  onFailure: (error: unknown) => void,
): void {
  const isDelayed = kind === "emails" && delays.size < MAX_DELAYED;
  const start = () => work(withUnqueuedDb(ctx));
  const run =
    kind === "emails" ? repeatWhileUnavailable(() => runEmail(ctx, key, start)) : () => relations(start, key);
  const begun = isDelayed ? delay().then(run) : run();
  const done = begun.catch(onFailure).finally(() => pending.delete(done));
  pending.add(done);
}

const delay = () =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      delays.delete(end);
      resolve();
    };
    const timer = setTimeout(end, randomInt(...EMAIL_DELAY));
    delays.add(end);
  });

export function finishDeferredWork(): Promise<unknown> {
  endings++;
  for (const end of delays) end();
  return Promise.all(pending);
}
