// `npm run dev`: Vite serves the client with hot replacement. Each change rebuilds and restarts the server; the old
// process responds until the new one is ready.
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { setPriority } from "node:os";
import { loadEnvFile } from "node:process";
import { prepare } from "./prepare.mjs";
import { proxyRequest } from "./dev/proxy.mjs";
import { prepareServer, startServer } from "./dev/server-process.mjs";

const ENTRY = "/@dev/entry-client.js";
const mode = "development";

await prepare({ upTo: "fonts", tools: true });
// Imported here because prepare() may have installed them.
const { default: react } = await import("@vitejs/plugin-react");
const { build, createServer: createVite } = await import("vite");
process.env.NODE_ENV = mode;
try {
  loadEnvFile(process.env.ENV_FILE || ".env");
} catch {
  // The file is optional.
}
const port = Number(process.env.PORT || 4000);
const host = process.env.HOST || "127.0.0.1";

const front = createServer();
const vite = await createVite({
  mode,
  appType: "custom",
  logLevel: "warn",
  clearScreen: false,
  server: {
    middlewareMode: true,
    hmr: { server: front },
    // The repository also contains secrets: .env files, and the database's password and emails in .data.
    fs: {
      allow: ["client", realpathSync("node_modules")],
      deny: [".env", ".env.*", "*.{crt,pem}", "**/.git/**", "**/.data/**"],
    },
    watch: { ignored: ["**/.data/**", "**/.cache/**", "**/dist/**", "**/generated/**"] },
  },
  optimizeDeps: { entries: ["client/app/entry-client.tsx"] },
});

/** Two builds, so that a change rebuilds only its part of the code. */
const inputs = {
  server: {
    main: "server/main.ts",
    "encoder-process": "server/media/encoder-process.ts",
    "markdown-worker": "server/markdown/worker.ts",
    "http-worker": "server/outgoing/http-worker.ts",
    "smtp-worker": "server/mail/smtp-worker.ts",
  },
  client: { "entry-server": "client/app/entry-server.tsx" },
};
const outdated = new Set(Object.keys(inputs));
/** The number of the latest build of each part that succeeded. */
const latest = { server: 0, client: 0 };
/** What the latest builds import from packages. */
const packages = { server: [], client: [] };
let isGeneratedFrom = false;
let prepared = prepareNext();
/** The current server process; a promise, so that requests wait for the first one. */
let current = next();
let changed = false;
let busy = false;
let isEnding = false;

async function next() {
  if (isGeneratedFrom) await prepare({ upTo: "fonts", tools: true, log: () => undefined });
  isGeneratedFrom = false;
  await Promise.all([...outdated].map(buildPart));
  const process = await prepared;
  try {
    const rendering = `${folderOf("client")}/server`;
    return await startServer(folderOf("server"), rendering, { entry: ENTRY, prepared: process });
  } finally {
    prepared = prepareNext();
  }
}

/** The process before still reads the build before. */
function folderOf(part) {
  return `.cache/dev/${part}-${latest[part] % 2}`;
}

async function buildPart(part) {
  latest[part]++;
  outdated.delete(part);
  const only = {
    name: "only-this-part",
    config({ build, ssr }) {
      build.rolldownOptions.input = inputs[part];
      // Packages that a process has loaded before need no building.
      if (part === "server") ssr.noExternal = [];
    },
  };
  const outDir = `${folderOf(part)}/server`;
  try {
    const { output } = await build({
      mode,
      logLevel: "error",
      plugins: [only],
      build: { ssr: true, outDir, emptyOutDir: true },
    });
    packages[part] = packagesIn(output);
  } catch (error) {
    outdated.add(part);
    latest[part]--;
    throw error;
  }
}

const packagesIn = (output) =>
  output.flatMap(({ imports = [] }) => imports).filter((name) => !/^node:|\.js$/.test(name));

/** A later change of the client gets another folder, so that none is loaded from this one. */
function prepareNext() {
  const rendering = latest.client > 0 ? [resolve(folderOf("client"), "server/entry-server.js")] : [];
  return prepareServer(port, [...new Set([...packages.server, ...packages.client, ...rendering])]);
}

async function replace() {
  if (busy) return void (changed = true);
  busy = true;
  const began = Date.now();
  try {
    const started = await next();
    const before = await current.catch(() => null);
    current = Promise.resolve(started);
    before?.end();
    console.log(`  server: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    // The old process keeps running until the code compiles again.
    console.error(error.message);
  }
  busy = false;
  if (changed) {
    changed = false;
    await replace();
  }
}

let timer;
vite.watcher.on("all", (_event, file) => {
  if (!/\/(server|client|prisma)\//.test(file) || /\.test\.tsx?$|\.css$/.test(file)) return;
  const isGenerated = /\.(graphql|prisma)$/.test(file);
  isGeneratedFrom ||= isGenerated;
  for (const part of Object.keys(inputs)) if (isGenerated || file.includes(`/${part}/`)) outdated.add(part);
  clearTimeout(timer);
  // Vite has already updated the browser: the restart matters only for later page loads, so it can wait (ms).
  timer = setTimeout(() => void replace(), /\/client\//.test(file) ? 700 : 30);
});

const entry = `${react.preambleCode.replace("__BASE__", "/")}\nawait import("/client/app/entry-client.tsx");`;
front.on("request", (request, response) => {
  if (request.url === ENTRY) return void response.setHeader("content-type", "text/javascript").end(entry);
  vite.middlewares(request, response, () => proxyRequest(request, response, () => current));
});
await new Promise((done, fail) => front.once("error", fail).listen(port, host, done));

const types = spawn(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "--noEmit", "--watch", "--preserveWatchOutput"],
  {
    stdio: ["ignore", "inherit", "inherit"],
  },
);
// Type checking runs at low priority.
if (types.pid) setPriority(types.pid, 19);
current.then(
  ({ lines }) => console.log(lines),
  (error) => {
    if (isEnding) return;
    console.error(error.message);
    process.exit(1);
  },
);

for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    types.kill();
    front.close();
    void prepared.then(({ kill }) => kill());
    void current
      .then((server) => server.stop())
      .catch(() => undefined)
      .then(() => process.exit(0));
  });
