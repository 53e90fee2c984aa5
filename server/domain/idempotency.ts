import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { IdempotencyKeyModel } from "../generated/prisma/models.ts";
import { badInput, BlogError, conflict } from "../errors.ts";
import { REPEATS_PER_KEY } from "../limits.ts";
import { createKeyedQueues } from "../queue.ts";
import { consumeOrThrow, rateLimits } from "./accounts/rate-limits.ts";
import type { Ctx, Viewer } from "./context.ts";
import { requireSession } from "./permissions.ts";

/** Milliseconds for which a repeated request gets the first response. */
export const IDEMPOTENCY_KEY_LIFETIME = 24 * 60 * 60 * 1000;

/** Milliseconds after which an unfinished request counts as aborted, for instance by a crash. */
const ABANDONED = 5 * 60 * 1000;

/** Milliseconds for which, and after which, a repeated request polls for the end of the first one in another process. */
const [TIMEOUT, POLL_INTERVAL] = [30_000, 100];

/** Visible ASCII characters, in quotes (as the IETF draft has it) or without. */
const KEY = /^("?)([\x21\x23-\x7e]{1,200})\1$/;

const queues = createKeyedQueues(REPEATS_PER_KEY, "idempotency_keys");

type Creation<T> = {
  operation: string;
  /** Parses the input, for requests with a key. Undefined if it is invalid: `create` refuses it then, and nothing is stored. */
  parse: () => unknown;
  file?: Buffer;
  /** @param id the id that the row has to get, if any */
  create: (id?: string) => Promise<T>;
  find: (id: string) => Promise<T | null>;
};

/**
 * Creates a row once, however often the request is repeated with its Idempotency-Key. The keys of an account are its own.
 * The row's id is chosen and stored first, so that nothing is created twice even if a process ends between the two writes.
 * Refused requests may be repeated with their key.
 * @throws BAD_USER_INPUT for an invalid key, CONFLICT for a key of other input, RATE_LIMITED, UNAUTHENTICATED if the
 *   session ends meanwhile, and the errors of `create`
 */
export async function createOnce<T extends object>(
  ctx: Ctx,
  viewer: Viewer,
  { operation, parse, file, create, find }: Creation<T>,
): Promise<T> {
  const key = parseKey(ctx.idempotencyKey);
  const input = key === null ? undefined : parse();
  if (key === null || input === undefined) return create();
  const release = await queues(`${viewer.id} ${key}`);
  try {
    await requireSession(ctx.db, viewer);
    const hash = hashOf([operation, input], file);
    const { row, isNew } = await claim(ctx, { userId: viewer.id, key }, hash);
    if (row.answer !== null) return JSON.parse(row.answer, reviveTimes) as T;
    const made = isNew ? null : await find(row.objectId);
    return await storeResponse(
      ctx,
      row,
      () => made ?? createCounted(ctx, viewer, () => create(row.objectId)),
    );
  } finally {
    release();
  }
}

function parseKey(sent: string | null): string | null {
  if (sent === null) return null;
  const [, , key] = KEY.exec(sent) ?? [];
  if (key === undefined)
    throw badInput('"Idempotency-Key" must be 1 to 200 visible ASCII characters, without blanks and quotes');
  return key;
}

function hashOf(input: unknown, file?: Buffer): string {
  const hash = createHash("sha256").update(JSON.stringify(input));
  return (file ? hash.update("\0").update(file) : hash).digest("hex");
}

const reviveTimes = (name: string, value: unknown) =>
  name.endsWith("At") && typeof value === "string" ? new Date(value) : value;

async function createCounted<T>(ctx: Ctx, { id }: Viewer, create: () => Promise<T>): Promise<T> {
  await consumeOrThrow(ctx, rateLimits.idempotencyKeys(id));
  return create();
}

type Name = Pick<IdempotencyKeyModel, "userId" | "key">;
type Claimed = { row: IdempotencyKeyModel; isNew: boolean };

/** @returns a row with its answer, or one whose answer this request has to write. @throws CONFLICT */
async function claim(ctx: Ctx, name: Name, hash: string): Promise<Claimed> {
  const { idempotencyKey: keys } = ctx.db;
  const began = performance.now();
  for (;;) {
    const now = ctx.now();
    const data = { ...name, hash, createdAt: now, claimedAt: now };
    const [row] = await keys.createManyAndReturn({ data: [data], skipDuplicates: true });
    if (row) return { row, isNew: true };
    const other = await keys.findFirst({ where: name });
    if (!other) continue;
    const { claimedAt, createdAt } = other;
    if (now.getTime() - createdAt.getTime() > IDEMPOTENCY_KEY_LIFETIME) {
      await keys.deleteMany({ where: { ...name, createdAt } });
      continue;
    }
    if (other.hash !== hash) throw conflict("this Idempotency-Key was used for another request");
    if (other.answer !== null) return { row: other, isNew: false };
    if (now.getTime() - claimedAt.getTime() > ABANDONED) {
      const where = { ...name, claimedAt, answer: null };
      const { count } = await keys.updateMany({ where, data: { claimedAt: now } });
      if (count === 1) return { row: { ...other, claimedAt: now }, isNew: false };
    }
    if (performance.now() - began > TIMEOUT)
      throw conflict("a request with this Idempotency-Key is still running");
    await wait(POLL_INTERVAL);
  }
}

/** Stores the response of a claim. A refusal gives the key up; after any other error the next request resumes the claim. */
async function storeResponse<T>(
  ctx: Ctx,
  claimed: IdempotencyKeyModel,
  make: () => T | Promise<T>,
): Promise<T> {
  const { userId, key, claimedAt } = claimed;
  const where = { userId, key, claimedAt };
  const { idempotencyKey: keys } = ctx.db;
  try {
    const answer = await make();
    await keys.updateMany({ where, data: { answer: JSON.stringify(answer) } });
    return answer;
  } catch (error) {
    const isRefusal = error instanceof BlogError && error.code !== "UNAVAILABLE";
    const giveUp = isRefusal
      ? keys.deleteMany({ where })
      : keys.updateMany({ where, data: { claimedAt: new Date(0) } });
    await giveUp.catch(() => undefined);
    throw error;
  }
}
