// Installs packages, generates code and builds, as far as needed. Imports only Node's own modules.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { publishBuild, withLock } from "./builds.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, ".cache/stamps.json");

/** A step runs if its inputs have changed since its last run, or if its output is missing. */
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
      "schema.graphql",
      "codegen.ts",
      "scripts/generate-operations.mjs",
      "package-lock.json",
      "client/**.graphql",
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
      "vite.config.ts",
      "package-lock.json",
      "tsconfig.json",
      "scripts/subset-fonts.mjs",
      "scripts/builds.mjs",
      "scripts/precompress.mjs",
      "client",
      "server",
      "prisma/schema.prisma",
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
 * @param {{ upTo?: string, tools?: boolean, log?: (line: string) => void }} options `upTo` names the last step to run;
 *   `tools` also installs the packages for tests and development
 */
export async function prepare({
  upTo = "build",
  tools = false,
  log = (line) => console.log(`  ${line}`),
} = {}) {
  process.chdir(root);
  requireNode();
  // Parallel runs would install and build into the same folders.
  await withLock(".cache/prepare.lock", log, async () => {
    if (!isInstalled(tools)) await timed("installing packages", log, () => install(tools));
    const optional = optionalPackages();
    if (optional.some((name) => !existsSync(join("node_modules", name))))
      await timed("installing optional packages", log, () => addPackages(optional, root, serving));
    if (upTo !== "install") await runSteps(upTo, log);
  });
}

async function timed(what, log, work) {
  const start = Date.now();
  log(`${what} …`);
  await work();
  log(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

async function runSteps(upTo, log) {
  const stamps = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, "utf8")) : {};
  for (const step of steps) {
    const stamp = hashOf(step.reads);
    if (stamps[step.name] !== stamp || !existsSync(step.makes)) {
      await timed(step.does, log, () => step.run(stamp));
      stamps[step.name] = stamp;
      mkdirSync(dirname(stampFile), { recursive: true });
      writeFileSync(stampFile, JSON.stringify(stamps, null, 2));
    }
    if (step.name === upTo) return;
  }
}

/** Builds only the command line, from the current code, for commands that write files of the repository. */
export async function prepareCodeWriter() {
  await prepare({ upTo: "prisma" });
  await vite("--ssr", "server/cli/blog.ts", "--outDir", ".cache/commands");
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19)) return;
  throw new Error(`Blog needs Node 22.13, 24 or newer (or 20.19); this is ${process.version}.`);
}

/** Compares npm's copy of the lockfile, so a manual installation counts as well. */
function isInstalled(tools) {
  const done = "node_modules/.package-lock.json";
  if (tools && !existsSync("node_modules/vitest")) return false;
  return existsSync(done) && statSync(done).mtimeMs >= statSync("package-lock.json").mtimeMs;
}

// Leaves out optional peer dependencies, such as Prisma's command line.
const serving = ["--omit=dev", "--legacy-peer-deps", "--workspace=blog-build", "--include-workspace-root"];

function install(tools) {
  if (!tools) return npm(["ci", ...serving], root);
  // Adds packages only: `npm ci` would first remove those that a running server uses.
  if (isInstalled(false)) return npm(["install", "--no-save", "--include=dev"], root);
  return npm(["ci", "--include=dev"], root);
}

/** Packages for development that few blogs need at run time (docs/decisions/038 and 040). */
const BUCKET_SDK = ["@aws-sdk/client-s3"];
const TRACING_SDK = ["sdk-trace", "resources", "exporter-trace-otlp-http"].map(
  (name) => `@opentelemetry/${name}`,
);

function readSettings() {
  const file = process.env.ENV_FILE || ".env";
  return { ...(existsSync(file) && parseEnv(readFileSync(file, "utf8"))), ...process.env };
}

/** Whether the settings name a bucket for the pictures. */
const usesBucket = ({ MEDIA_URL, MEDIA_PREVIOUS_URL }) =>
  [MEDIA_URL, MEDIA_PREVIOUS_URL].some((url) => url?.startsWith("s3:"));

/** As `exportsTraces` of server/env.ts. */
const exportsTraces = ({ OTEL_TRACES_EXPORTER: exporter, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) =>
  (exporter || (endpoint ? "otlp" : "none")) === "otlp";

/** @param isRelease whether the packages are for other settings, which may name a bucket */
export function optionalPackages(isRelease = false) {
  const settings = readSettings();
  return [
    ...(isRelease || usesBucket(settings) ? BUCKET_SDK : []),
    ...(exportsTraces(settings) ? TRACING_SDK : []),
  ];
}

/**
 * Adds packages with those below them, all as the lockfile has them for development. A second call would remove them again.
 * @throws if one is not the file of the lockfile, whose hash npm does not compare for packages that it is asked for
 */
export async function addPackages(names, cwd, flags) {
  const { packages } = readLockfile(join(cwd, "package-lock.json"));
  const specs = names.map((name) => `${name}@${packages[`node_modules/${name}`].version}`);
  await npm(["install", "--no-save", "--save-prod", ...flags, ...specs], cwd);
  const installed = readLockfile(join(cwd, "node_modules/.package-lock.json")).packages;
  for (const [path, { integrity }] of Object.entries(installed)) {
    if (!integrity || integrity === packages[path]?.integrity) continue;
    for (const name of names) rmSync(join(cwd, "node_modules", name), { recursive: true, force: true });
    throw new Error(`${path} is not the package of package-lock.json: its hash is another one`);
  }
}

const readLockfile = (file) => JSON.parse(readFileSync(file, "utf8"));

/** Runs npm without the packages' install scripts. @throws with npm's output */
export function npm(args, cwd) {
  // npm sets its own path for scripts; started by hand, the npm on the PATH is used.
  const file = process.env.npm_execpath;
  const all = [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return file ? run(process.execPath, [file, ...all], cwd) : run("npm", all, cwd);
}

const node = (...args) => run(process.execPath, args);
const vite = (...args) => node("node_modules/vite/bin/vite.js", "build", ...args, "--logLevel", "warn");

function run(command, args, cwd = root) {
  return new Promise((resolve, reject) => {
    // Regardless of the caller's NODE_ENV: a production server cannot render JSX of a development build.
    const env = { ...process.env, NODE_ENV: "production" };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${[command, ...args].join(" ")} ended with ${code}:\n${output}`));
    });
  });
}

function hashOf(paths) {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths) for (const file of filesIn(path)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

/** Expands a file, a folder or `folder/**.extension` to files, without generated and test files. */
function filesIn(path) {
  const [folder, ending] = path.split("/**");
  if (ending === undefined && statSync(path).isFile()) return [path];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => file.endsWith(ending ?? "") && !/\/generated\/|\.test\.tsx?$/.test(file))
    .sort();
}
