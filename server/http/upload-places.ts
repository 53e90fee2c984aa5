import { BlogError } from "../errors.ts";
import { UPLOADS } from "../limits.ts";
import { createBulkhead } from "../queue.ts";

const inTurn = createBulkhead("uploads");
const perOwner = new Map<string, number>();

type Uploader = { account: string; origin: string };

/**
 * Receives a body with a file. Each is held in memory, so their number is limited: per account, per origin and in all.
 * @throws RATE_LIMITED while the account or its origin has as many under way as it may, UNAVAILABLE
 */
export async function receiveUpload<T>({ account, origin }: Uploader, receive: () => Promise<T>): Promise<T> {
  const owners = [
    { key: `account ${account}`, limit: UPLOADS.perAccount },
    { key: `origin ${origin}`, limit: UPLOADS.perOrigin },
  ];
  if (owners.some(({ key, limit }) => (perOwner.get(key) ?? 0) >= limit)) throw tooMany();
  for (const { key } of owners) count(key, 1);
  try {
    return await inTurn(receive);
  } finally {
    for (const { key } of owners) count(key, -1);
  }
}

function count(key: string, step: 1 | -1): void {
  const after = (perOwner.get(key) ?? 0) + step;
  if (after > 0) perOwner.set(key, after);
  else perOwner.delete(key);
}

const tooMany = () =>
  new BlogError("RATE_LIMITED", "too many uploads at once, please wait until the others are done", {
    retryAfter: 5,
  });
