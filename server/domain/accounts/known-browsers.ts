import { createHash } from "node:crypto";
import { MAX_BROWSERS } from "../../limits.ts";
import type { Ctx } from "../context.ts";
import type { Tx } from "../ports.ts";

/** @returns whether the account has signed in before, but not from this browser, and a function that remembers it */
export async function recogniseBrowser({ db, now }: Ctx, userId: string, userAgent: string | null) {
  const hash = createHash("sha256")
    .update(userAgent ?? "")
    .digest();
  const known = await db.knownBrowser.findMany({ where: { userId }, orderBy: { seenAt: "desc" } });
  const others = known.filter((browser) => !hash.equals(browser.hash));
  const forgotten = others.slice(MAX_BROWSERS - 1).map((browser) => browser.hash);
  const remember = async (tx: Tx) => {
    if (forgotten.length > 0)
      await tx.knownBrowser.deleteMany({ where: { userId, hash: { in: forgotten } } });
    const seen = { seenAt: now() };
    const { count } = await tx.knownBrowser.updateMany({ where: { userId, hash }, data: seen });
    // Another sign-in may have added it meanwhile.
    if (count === 0)
      await tx.knownBrowser.createMany({ data: { userId, hash, ...seen }, skipDuplicates: true });
  };
  return { isNew: known.length > 0 && known.length === others.length, remember };
}
