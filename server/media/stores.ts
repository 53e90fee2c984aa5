import { openBothStores } from "./both-stores.ts";
import { openBucket, type Bucket } from "./bucket/bucket.ts";
import type { BucketSettings } from "./bucket/client.ts";
import type { StoreUrl } from "./bucket/url.ts";
import { openFolder } from "./folder.ts";
import type { Warn } from "./outage-warnings.ts";
import type { PictureFiles } from "./picture-files.ts";

export type StoreSettings = {
  folder: string;
  store: StoreUrl;
  previous: StoreUrl | null;
  keys: BucketSettings["keys"];
  httpWorkerFile: string;
};

export type Stores = {
  files: PictureFiles;
  /** The store for new pictures, then the previous one. */
  each: PictureFiles[];
  buckets: Bucket[];
  /** Null if all pictures are in buckets. */
  folder: string | null;
  close: () => void;
};

/** Creates nothing and calls nobody. @param warn receives errors of a store, one a minute */
export async function openStores(
  { folder, store, previous, ...access }: StoreSettings,
  warn: Warn = () => undefined,
): Promise<Stores> {
  const buckets: Bucket[] = [];
  const openOne = async (url: StoreUrl): Promise<PictureFiles> => {
    if (url === "folder") return openFolder(folder, warn);
    const bucket = await openBucket({ ...url, ...access }, warn);
    buckets.push(bucket);
    return bucket;
  };
  const target = await openOne(store);
  const source = previous && (await openOne(previous));
  return {
    files: source ? openBothStores(target, source) : target,
    each: source ? [target, source] : [target],
    buckets,
    folder: store === "folder" || previous === "folder" ? folder : null,
    close: () => buckets.forEach((bucket) => bucket.close()),
  };
}
