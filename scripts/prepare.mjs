// Brings a clone into the state in which it can run: packages, generated code, builds. Needs nothing but Node.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishBuild, withLock } from "./builds.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, ".cache/stamps.json");

/** A step runs when what it reads has changed since it last ran, or what it makes is gone. */
const steps = [
  {
    name: "prisma",
    does: "generating the database client",
    reads: ["prisma/schema.prisma", "scripts/generate-prisma-client.mjs", "package-lock.json"],
    makes: "server/generated/prisma/client.ts",
    run: () => node("scripts/generate-prisma-client.mjs"),
  },
  {
    name: "codegen",
    does: "generating typed operations",
    reads: [
      ...["schema.graphql", "codegen.ts", "scripts/generate-operations.mjs"],
      ...["package-lock.json", "client/**.graphql"],
    ],
    makes: "client/generated/graphql.ts",
    run: () => node("scripts/generate-operations.mjs"),
  },
  {
    name: "fonts",
    does: "cutting the fonts to size",
    reads: ["scripts/subset-fonts.mjs", "client/ui/styles/fonts.css", "package-lock.json"],
    makes: "client/generated/fonts/newsreader-italic.woff2",
    run: () => node("scripts/subset-fonts.mjs"),
  },
  {
    name: "build",
    does: "building",
    reads: [
      ...[
        "vite.config.ts",
        "package-lock.json",
        "tsconfig.json",
        "scripts/subset-fonts.mjs",
        "scripts/builds.mjs",
      ],
      ...["client", "server", "prisma/schema.prisma"],
    ],
    makes: "dist/server/main.js",
    run: (stamp) =>
      publishBuild(stamp, async (folder) => {
        await vite("--outDir", join(folder, "client"));
        await vite("--ssr", "--outDir", join(folder, "server"));
      }),
  },
];

/**
 * @param {{ upTo?: string, tools?: boolean, say?: (line: string) => void }} options `upTo` names the last step to run;
 *   with `tools` the packages for tests and development are installed too
 */
export async function prepare({
  upTo = "build",
  tools = false,
  say = (line) => console.log(`  ${line}`),
} = {}) {
  process.chdir(root);
  requireNode();
  // Two that prepare at once would install and build into the same folders.
  await withLock(".cache/prepare.lock", say, async () => {
    if (!isInstalled(tools)) await timed("installing packages", say, () => install(tools));
    if (upTo !== "install") await runSteps(upTo, say);
  });
}

async function timed(what, say, work) {
  const start = Date.now();
  say(`${what} …`);
  await work();
  say(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

async function runSteps(upTo, say) {
  const stamps = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, "utf8")) : {};
  for (const step of steps) {
    const stamp = hashOf(step.reads);
    if (stamps[step.name] !== stamp || !existsSync(step.makes)) {
      await timed(step.does, say, () => step.run(stamp));
      stamps[step.name] = stamp;
      mkdirSync(dirname(stampFile), { recursive: true });
      writeFileSync(stampFile, JSON.stringify(stamps, null, 2));
    }
    if (step.name === upTo) return;
  }
}

/** Builds only the command line, of the present code, for the commands that write files of the repository. */
export async function prepareCodeWriter() {
  await prepare({ upTo: "prisma" });
  await vite("--ssr", "server/cli/blog.ts", "--outDir", ".cache/commands");
}

/** The range of `engines`: what Prisma and ESLint ask for. */
function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19)) return;
  throw new Error(`Blog needs Node 22.13, 24 or newer (or 20.19); this is ${process.version}.`);
}

/** npm leaves a copy of the lockfile when it is done, so an installation by hand counts as well. */
function isInstalled(tools) {
  const done = "node_modules/.package-lock.json";
  if (tools && !existsSync("node_modules/vitest")) return false;
  return existsSync(done) && statSync(done).mtimeMs >= statSync("package-lock.json").mtimeMs;
}

function install(tools) {
  // Optional peers of packages, Prisma's command line above all, are for development only.
  const serving = ["--omit=dev", "--legacy-peer-deps", "--workspace=blog-build", "--include-workspace-root"];
  if (!tools) return npm(["ci", ...serving], root);
  // Adds to what is there: a server may be running from it, and `npm ci` would remove it first.
  if (isInstalled(false)) return npm(["install", "--no-save", "--include=dev"], root);
  return npm(["ci", "--include=dev"], root);
}

/** Runs npm in a folder, without any script of a package. @throws with what it said */
export function npm(words, cwd) {
  // npm tells its scripts where it lies; started by hand, the one on the PATH has to do.
  const file = process.env.npm_execpath;
  const all = [...words, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return file ? run(process.execPath, [file, ...all], cwd) : run("npm", all, cwd);
}

const node = (...words) => run(process.execPath, words);
const vite = (...words) => node("node_modules/vite/bin/vite.js", "build", ...words, "--logLevel", "warn");

function run(command, words, cwd = root) {
  return new Promise((resolve, reject) => {
    // Whatever the caller's mode: JSX built for development cannot be rendered by a server in production.
    const env = { ...process.env, NODE_ENV: "production" };
    const child = spawn(command, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${[command, ...words].join(" ")} ended with ${code}:\n${output}`));
    });
  });
}

function hashOf(places) {
  const hash = createHash("sha256").update(process.version);
  for (const place of places) for (const file of filesIn(place)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

/** A file, a folder, or the files of a folder with an ending (`client/**.graphql`). Generated and test files aside. */
function filesIn(place) {
  const [folder, ending] = place.split("/**");
  if (ending === undefined && statSync(place).isFile()) return [place];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => file.endsWith(ending ?? "") && !/\/generated\/|\.test\.tsx?$/.test(file))
    .sort();
}
