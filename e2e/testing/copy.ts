import { cp, mkdtemp, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

/** Copies the repository to a folder for changes and builds; packages are linked. */
export async function copyRepository(): Promise<string> {
  const root = resolve(".");
  const folder = await mkdtemp(join(tmpdir(), "blog-copy-"));
  const left = ["node_modules", ".git", ".data", ".cache", "dist", "bench/node_modules"];
  const filter = (source: string) => !left.includes(relative(root, source));
  await cp(root, folder, { recursive: true, preserveTimestamps: true, filter });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const build = relative(root, await realpath("dist"));
  for (const each of [".cache/stamps.json", build])
    await cp(join(root, each), join(folder, each), { recursive: true });
  await symlink(build, join(folder, "dist"));
  return folder;
}
