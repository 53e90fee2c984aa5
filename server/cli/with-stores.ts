import type { Env } from "../env.ts";
import { StoreUnavailable } from "../errors.ts";
import { openStores, type Stores } from "../media/stores.ts";
import { toStartError } from "../services.ts";
import { StartError } from "../start-error.ts";

/** Provides the stores of the pictures to a command. @throws StartError if a bucket cannot be used */
export async function withStores<T>(env: Env, work: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStores(env.stores).catch(toStartError);
  try {
    await requireBuckets(stores);
    return await work(stores).catch(async (error: unknown) => {
      if (error instanceof StoreUnavailable) await requireBuckets(stores);
      throw error;
    });
  } finally {
    stores.close();
  }
}

async function requireBuckets({ buckets }: Stores): Promise<void> {
  for (const bucket of buckets) {
    const trouble = await bucket.findProblem();
    if (trouble) throw new StartError(trouble.message);
  }
}
