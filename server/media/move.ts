import type { EncodedFile } from "./encode.ts";
import { idsIn, isFileName, isMissingFile, JPEG, UPLOAD, type PictureFiles } from "./picture-files.ts";
import { forEachConcurrently } from "./for-each-concurrently.ts";

export type Move = {
  from: PictureFiles;
  to: PictureFiles;
  /** @returns those of the pictures that the database has; the others stay in `from` */
  findExisting: (ids: string[]) => Promise<string[]>;
  report: (done: number, all: number) => void;
};

const CONCURRENCY = 4;
const BATCH = 500;
const REPETITIONS = 5;

/**
 * Copies all pictures of the database that `to` lacks, while the blog runs. Removes nothing.
 * @returns the numbers of those copied, and of those whose JPEG is missing in both
 * @throws Error if a copy differs
 */
export async function copyPictures(move: Move): Promise<{ copied: number; damaged: number }> {
  let [copied, damaged] = [0, 0];
  await eachPicture(move, async (id) => {
    const outcome = await copyPicture(move, id);
    if (outcome === "copied") copied++;
    if (outcome === "damaged") damaged++;
  });
  return { copied, damaged };
}

/** Removes from `from` each picture of which `to` has every byte. @returns the numbers of those removed, and of the others */
export async function removeCopied(move: Move): Promise<{ removed: number; skipped: number }> {
  let [removed, skipped] = [0, 0];
  await eachPicture(move, async (id) => {
    const isCopied = await isSame(move, id);
    if (isCopied) await move.from.remove(id);
    if (isCopied) removed++;
    else skipped++;
  });
  return { removed, skipped };
}

async function eachPicture(
  { from, findExisting, report }: Move,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const all = [...new Set(await idsIn(from))];
  let done = 0;
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH);
    const existing = await findExisting(batch);
    done += batch.length - existing.length;
    await forEachConcurrently(existing, CONCURRENCY, async (id) => {
      await work(id).catch(ignoreDeleted);
      report(++done, all.length);
    });
  }
}

function ignoreDeleted(error: unknown): void {
  if (!isMissingFile(error)) throw error;
}

async function copyPicture(move: Move, id: string): Promise<"copied" | "present" | "damaged"> {
  const { from, to } = move;
  const isThere = await to.has(id, JPEG);
  const names = await filesOf(from, id);
  if (names.length === 0) return "present";
  if (!isThere) {
    if (!names.includes(JPEG)) return "damaged";
    const files = (await Promise.all(names.map((name) => readFrom(from, id, name)))).filter(
      (file) => file !== null,
    );
    if (!files.some(({ name }) => name === JPEG)) return "present";
    await to.remove(id);
    await to.create(id, files);
  }
  const added = await addMissing(move, id);
  if (isThere && !added) return "present";
  // A job may add a file after the missing ones.
  for (let left = REPETITIONS; !(await isSame(move, id)); left--) {
    if (left === 0) await refuseCopy(move, id);
    await addMissing(move, id);
  }
  return "copied";
}

/** Repeats the changes that a job made to the picture while it was copied. @returns whether files were added */
async function addMissing({ from, to }: Move, id: string): Promise<boolean> {
  const names = await filesOf(from, id);
  if (names.length === 0) await to.remove(id);
  const present = await to.namesOf(id);
  const absent = names.filter((name) => name !== UPLOAD && !present.includes(name));
  for (const name of absent) {
    const file = await readFrom(from, id, name);
    if (file) await to.add(id, name, file.bytes);
  }
  if (present.includes(UPLOAD) && !names.includes(UPLOAD)) await to.remove(id, UPLOAD);
  return absent.length > 0;
}

async function refuseCopy({ to }: Move, id: string): Promise<never> {
  await to.remove(id);
  throw new Error(`The copy of the picture ${id} in ${to.name} differs: try again.`);
}

/** Whether `to` has every file with the same bytes. The upload is removed by a job at any time. */
async function isSame({ from, to }: Move, id: string): Promise<boolean> {
  for (const name of await filesOf(from, id)) {
    if (name === UPLOAD) continue;
    const [original, copy] = await Promise.all([readFrom(from, id, name), readFrom(to, id, name)]);
    if (original && !copy?.bytes.equals(original.bytes)) return false;
  }
  return true;
}

/** Null if the file was removed meanwhile, by a job or with its picture. */
const readFrom = (files: PictureFiles, id: string, name: string): Promise<EncodedFile | null> =>
  files.read(id, name).then(
    (bytes) => ({ name, bytes }),
    (error: unknown) => {
      if (isMissingFile(error)) return null;
      throw error;
    },
  );

const filesOf = async (files: PictureFiles, id: string) => (await files.namesOf(id)).filter(isFileName);
