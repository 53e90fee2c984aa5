import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Unpacks a backup, changes its files and packs them again. @returns the path of the changed backup */
export async function repackBackup(
  file: string,
  makeFolder: () => Promise<string>,
  change: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = await makeFolder();
  execFileSync("tar", ["xzf", file, "-C", folder]);
  await change(folder);
  const changed = join(await makeFolder(), "changed.tar.gz");
  execFileSync("tar", ["czf", changed, "-C", folder, "."]);
  return changed;
}

export const edit = async (path: string, from: RegExp, to: string): Promise<void> =>
  writeFile(path, (await readFile(path, "utf8")).replace(from, to));

const SUMS = "find manifest.json tables pictures -type f | xargs sha256sum > checksums.txt";

/** Writes checksums that fit the changed files. */
export const writeChecksums = (folder: string): void =>
  void execFileSync("sh", ["-c", SUMS], { cwd: folder });

export async function addTable(
  folder: string,
  name: string,
  columns: string[],
  rows: string[],
): Promise<void> {
  const table = JSON.stringify({ name, columns, rows: rows.length });
  await edit(join(folder, "manifest.json"), /"tables": \[/, `"tables": [ ${table},`);
  await writeFile(join(folder, `tables/${name}.csv`), [columns.join(), ...rows, ""].join("\n"));
  writeChecksums(folder);
}
