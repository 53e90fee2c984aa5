import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { create, extract, list } from "tar";
import { z } from "zod";
import { quotable } from "../errors.ts";
import { PICTURE_FILE_BYTES } from "../limits.ts";
import { StartError } from "../start-error.ts";
import { syncToDisk } from "../disk.ts";

// A backup is a .tar.gz of manifest.json, tables/NAME.csv, pictures/ab/abcdef…/480.webp and, last, checksums.txt,
// which `sha256sum -c` verifies.

const CHECKSUMS = "checksums.txt";
const MANIFEST = "manifest.json";
const name = z.string().regex(/^\w+$/);

const manifestShape = z.object({
  format: z.literal("blog backup 1"),
  createdAt: z.iso.datetime(),
  migrations: z.array(name).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: z.int() })).min(1),
  pictures: z.int(),
});

export type Manifest = z.infer<typeof manifestShape>;

/** Packs a folder into `file`, which only its owner can read and which appears atomically by a rename. */
export async function packArchive(
  folder: string,
  manifest: Manifest,
  file: string,
  report: (done: number, all: number) => void,
): Promise<void> {
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  const sums = await sumFiles(folder);
  await writeFile(join(folder, CHECKSUMS), [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join(""));
  const part = `${file}.part`;
  let done = 0;
  const order = [MANIFEST, "tables", "pictures", CHECKSUMS];
  const archive = create({ cwd: folder, gzip: true, portable: true, strict: true, onWriteEntry }, order);
  function onWriteEntry({ type }: { type?: string }) {
    if (type === "File") report(++done, sums.size + 1);
  }
  try {
    // Somebody else may have prepared a file that only they own.
    await rm(part, { force: true });
    await pipeline(archive, createWriteStream(part, { flags: "wx", mode: 0o600, flush: true }));
    await rename(part, file);
    await syncToDisk(dirname(file));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Unpacks a backup into an empty folder and verifies it. @throws StartError if it is damaged */
export async function unpackArchive(file: string, folder: string): Promise<Manifest> {
  const damaged = (reason: string) =>
    new StartError(`${file} is not a whole backup (${quotable(reason)}): nothing was changed.`);
  try {
    // Reads the archive to its end before writing anything.
    await list({ file, strict: true });
    // A link could point out of the folder, and a folder could have the name of a file. Files make their folders.
    const filter = (_path: string, entry: object) => "type" in entry && entry.type === "File";
    await extract({ file, cwd: folder, strict: true, preserveOwner: false, filter });
  } catch (error) {
    throw damaged((error as Error).message);
  }
  const text = await readFile(join(folder, CHECKSUMS), "utf8").catch(() => null);
  if (text === null) throw damaged("its end is missing");
  const sums = await sumFiles(folder);
  const lines = text.trim().split("\n");
  const wrong = lines.find((line) => sums.get(line.slice(66)) !== line.slice(0, 64));
  if (wrong) throw damaged(`${wrong.slice(66)} is damaged or missing`);
  if (lines.length !== sums.size) throw damaged("it holds files it does not list");
  // Jobs and requests read pictures whole.
  for (const path of sums.keys())
    if (path.startsWith("pictures/") && (await stat(join(folder, path))).size > PICTURE_FILE_BYTES)
      throw damaged(`${path} is larger than any picture of the blog`);
  const manifest = manifestShape.safeParse(
    await readFile(join(folder, MANIFEST), "utf8")
      .then(JSON.parse)
      .catch(() => null),
  );
  if (!manifest.success) throw damaged("of another kind or of a newer release");
  return manifest.data;
}

/** SHA-256 by relative path, with slashes on every system. */
async function sumFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sums = new Map<string, string>();
  for (const path of paths.sort()) {
    const address = relative(folder, path).split(sep).join("/");
    if (address === CHECKSUMS) continue;
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    sums.set(address, hash.digest("hex"));
  }
  return sums;
}
