import { randomUUID } from "node:crypto";
import type { MediaStore, OwnStore, SweepResult } from "../domain/ports.ts";
import { StoreUnavailable } from "../errors.ts";
import { AVIF_WIDTH } from "../limits.ts";
import type { Encoder } from "./encoder.ts";
import { JPEG, UPLOAD, type PictureFiles } from "./picture-files.ts";

/** A sweep removes up to so many orphans even if fewer pictures have a row. */
const FEW = 20;

const HOUR = 60 * 60 * 1000;

const CARD = "card.jpg";

type Urls = {
  /** Absolute URL below which the site serves the pictures. */
  site: string;
  /** Where they are public besides, on a CDN for instance. */
  public?: string | undefined;
};

const publicPath = (id: string, name: string) => `/${id.slice(0, 2)}/${id}/${name}`;

/** @param requireDatabaseSpace rejects if pictures would take the room of a database on the same disk */
export function openMediaStore(
  files: PictureFiles,
  urls: Urls,
  encoder: Omit<Encoder, "close" | "countFailures">,
  requireDatabaseSpace: () => Promise<void> = async () => undefined,
): MediaStore {
  const requireDiskSpace = () => files.requireDiskSpace().then(requireDatabaseSpace);
  const addCard = async (id: string, origin: string) => {
    if (await files.has(id, CARD)) return;
    const picture = await files.read(id, JPEG);
    await requireDiskSpace();
    await files.add(id, CARD, await encoder.encodeCard(picture, origin));
  };
  const unfinishedCards = new Map<string, Promise<void>>();
  return {
    save: async (bytes, origin) => {
      await requireDiskSpace();
      const { files: encoded, ...picture } = await encoder.encodePicture(bytes, origin);
      const id = randomUUID();
      if (!picture.isComplete) encoded.push({ name: UPLOAD, bytes });
      await files.create(id, encoded);
      return { id, ...picture };
    },
    complete: async (id, storeWidths) => {
      await requireDiskSpace();
      const { widths, files: encoded } = await files
        .read(id, UPLOAD)
        .then(encoder.encodeWide)
        .catch(async (error: unknown) => {
          if (error instanceof StoreUnavailable) throw error;
          return encoder.encodeWide(await files.read(id, JPEG));
        });
      for (const { name, bytes } of encoded) await files.add(id, name, bytes);
      await storeWidths(widths);
      await files.remove(id, UPLOAD);
    },
    addAvif: async (id, widths) => {
      await files.remove(id, UPLOAD);
      const largest = await files.read(id, `${Math.max(...widths)}.webp`);
      for (const width of widths) {
        if (width > AVIF_WIDTH) continue;
        await requireDiskSpace();
        await files.add(id, `${width}.avif`, await encoder.encodeAvif(largest, width));
      }
    },
    addCard(id, origin) {
      const unfinished = unfinishedCards.get(id);
      if (unfinished) return unfinished;
      const adding = addCard(id, origin).finally(() => unfinishedCards.delete(id));
      unfinishedCards.set(id, adding);
      return adding;
    },
    pathOf: (id, name) => new URL(urls.site).pathname + publicPath(id, name),
    // A card does not exist before somebody asks the site for it.
    urlOf: (id, name) => (name === CARD ? urls.site : (urls.public ?? urls.site)) + publicPath(id, name),
    defaultPhotoUrl: new URL("/default-photo.png", urls.site).href,
    remove: (id) => files.remove(id),
    sweep: (store, findExisting) => sweep(files, store, findExisting),
  };
}

async function sweep(
  files: PictureFiles,
  store: OwnStore,
  findExisting: (ids: string[]) => Promise<Set<string>>,
): Promise<SweepResult> {
  const orphans: string[] = [];
  let owned = 0;
  if ((await files.readStoreId()) !== store.id) return { removed: 0, skipped: 0 };
  for await (const names of files.list()) {
    const existing = await findExisting(names.filter((name) => !name.endsWith(".part")));
    owned += existing.size;
    for (const name of names.filter((each) => !existing.has(each))) {
      const time = await files.modifiedAt(name);
      // A younger one may belong to an upload in progress, an older one to the database that had the store before.
      if (time !== null && Date.now() - time >= HOUR && time >= store.adoptedAt.getTime()) orphans.push(name);
    }
  }
  if (orphans.length > owned && (owned === 0 || orphans.length > FEW))
    return { removed: 0, skipped: orphans.length };
  for (const name of orphans) await files.remove(name);
  return { removed: orphans.length, skipped: 0 };
}
