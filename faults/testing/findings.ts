import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { withClient } from "../../server/data/postgres-client.ts";
import { isMissingFile, type PictureFiles } from "../../server/media/picture-files.ts";
import { AVIF_WIDTH, FIRST_WIDTH } from "../../server/limits.ts";
import { bioFact, commentFact, likeFact, postFact } from "./writers.ts";

type Row = Record<string, string>;

const runQueries = (databaseUrl: string, ...statements: string[]): Promise<Row[][]> =>
  withClient(databaseUrl, async (client) => {
    const found: Row[][] = [];
    for (const statement of statements) found.push((await client.query<Row>(statement)).rows);
    return found;
  });

/** Reads all facts from the database, in the format of a history. */
export async function readFacts(databaseUrl: string): Promise<Map<string, string>> {
  const [posts = [], comments = [], likes = [], bios = []] = await runQueries(
    databaseUrl,
    `SELECT title, description = 'This is all that ' || title || ' says.' AND category = 'Craft' AS whole FROM "Post"
     WHERE title <> 'The first post'`,
    `SELECT text FROM "Comment"`,
    `SELECT "postId", "userId" FROM "Like"`,
    `SELECT id, bio FROM "User" WHERE bio IS NOT NULL`,
  );
  return new Map([
    ...posts.map(({ title = "", whole }) => [postFact(title), whole ? "there" : "half"] as const),
    ...comments.map(({ text = "" }) => [commentFact(text), "there"] as const),
    ...likes.map(({ postId = "", userId = "" }) => [likeFact(postId, userId), "there"] as const),
    ...bios.map(({ id = "", bio = "" }) => [bioFact(id), bio] as const),
  ]);
}

/** The addresses of all accounts. */
export async function findRegistered(databaseUrl: string): Promise<Set<string>> {
  const [accounts = []] = await runQueries(databaseUrl, 'SELECT email FROM "User"');
  return new Set(accounts.map(({ email = "" }) => email));
}

/** Backdates the database's possession of the pictures: the sweep skips files from before it. */
export const ageStore = (databaseUrl: string) =>
  runQueries(databaseUrl, `UPDATE "MediaFolder" SET "adoptedAt" = now() - interval '1 day'`);

/** Backdates all pictures: the sweep at the next start skips recent files, which may be uploads in progress. */
export async function ageFiles(folder: string): Promise<void> {
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const entry of await readdir(folder, { recursive: true }))
    // A bucket may still be working on a request.
    await utimes(join(folder, entry), longAgo, longAgo).catch(() => undefined);
}

type PictureRow = { id: string; widths: number[]; isComplete: boolean; avif: boolean | null; shown: boolean };

/**
 * Jobs add the wide WebP and all AVIF files later: until the row is marked, any number of them may exist, the last one
 * incomplete. The second job removes an upload that the first one has left.
 * @returns what is wrong with its files
 */
async function findDamage(
  stored: PictureFiles,
  { id, widths, isComplete, avif }: PictureRow,
): Promise<string | null> {
  const found = await stored.namesOf(id);
  const first = widths.filter((width) => isComplete || width <= FIRST_WIDTH);
  const narrow = avif ? widths.filter((width) => width <= AVIF_WIDTH) : [];
  const expected = [
    "picture.jpg",
    ...first.map((width) => `${width}.webp`),
    ...narrow.map((width) => `${width}.avif`),
  ];
  const isLater = (file: string) =>
    !expected.includes(file) &&
    ((!isComplete && /^\d+\.webp(\.part)?$/.test(file)) ||
      (!avif && /^(\d+\.avif(\.part)?|\.upload)$/.test(file)));
  const files = found.filter((file) => !isLater(file));
  if (files.sort().join() !== expected.sort().join()) return `has ${files.join()}, not ${expected.join()}`;
  for (const file of found.filter((each) => !each.endsWith(".part"))) {
    const problem = await stored.read(id, file).then(findProblem, (error: unknown) =>
      // A job has removed it meanwhile, or is still writing it.
      isMissingFile(error) && isLater(file) ? null : String(error),
    );
    if (problem) return `has a damaged ${file}: ${problem}`;
  }
  return null;
}

const findProblem = (picture: Buffer): Promise<string | null> =>
  sharp(picture, { failOn: "warning" })
    .stats()
    .then(() => null, String);

/**
 * Returns incomplete pictures, unused picture rows and files without a row.
 * @param sound ids of pictures already checked: their files never change
 */
export async function findBroken(
  databaseUrl: string,
  stored: PictureFiles,
  sound: Set<string>,
): Promise<string[]> {
  const [pictures = []] = await runQueries(
    databaseUrl,
    `SELECT id, widths, "isComplete", avif, EXISTS (SELECT FROM "Post" WHERE "imageId" = p.id) OR EXISTS (SELECT FROM "User" WHERE "photoId" = p.id)
     AS shown FROM "Picture" p WHERE id NOT IN (SELECT "imageId" FROM "Post" WHERE title = 'The first post')`,
  );
  const broken: string[] = [];
  for (const picture of pictures as unknown as PictureRow[]) {
    const { id, shown } = picture;
    if (!shown) broken.push(`nothing shows picture ${id}`);
    if (sound.has(id)) continue;
    const damage = await findDamage(stored, picture);
    if (damage) broken.push(`picture ${id} ${damage}`);
    else sound.add(id);
  }
  const referenced = new Set(pictures.map(({ id = "" }) => id));
  for await (const names of stored.list())
    broken.push(...names.filter((name) => !referenced.has(name)).map((name) => `a stray: ${name}`));
  return broken;
}
