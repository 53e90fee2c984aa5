import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { addExplorer } from "../builds.mjs";

/** Milliseconds that a replaced process gets to finish its requests. */
const GRACE_MS = 3_000;
const LOADER = fileURLToPath(new URL("load-server.mjs", import.meta.url));

/**
 * Starts a process that loads modules and then waits for a build: packages take longer to load than the blog's own code.
 * @param {number} publicPort
 * @param {string[]} modules the names of packages and absolute paths that the latest build imports
 */
export async function prepareServer(publicPort, modules) {
  const port = await findFreePort();
  const env = {
    // Speeds up the start on Node 22 and later.
    NODE_COMPILE_CACHE: resolve(".cache/dev/compiled"),
    ...{ PUBLIC_URL: `http://localhost:${publicPort}`, LOG_LEVEL: "warn", ...process.env },
    ...{ PORT: String(port), HOST: "127.0.0.1", NODE_ENV: "development" },
  };
  const child = spawn(process.execPath, ["--enable-source-maps", LOADER, ...modules], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise((done) => child.once("exit", done));
  ended.then(() => process.off("exit", kill));
  return { child, port, ended, kill };
}

/**
 * Starts the server of a build and resolves when it is ready.
 * @param {string} folder contains `server`; Vite serves the client, so its manifest is a stub
 * @param {string} rendering contains the client's code for server rendering
 * @param {{ entry: string, prepared: Awaited<ReturnType<typeof prepareServer>> }} options
 */
export async function startServer(folder, rendering, { entry, prepared }) {
  mkdirSync(join(folder, "client"), { recursive: true });
  const font = "client/generated/fonts/newsreader.woff2";
  const manifest = { "client/app/entry-client.tsx": { file: entry.slice(1) }, [font]: { file: font } };
  writeFileSync(join(folder, "client/manifest.json"), JSON.stringify(manifest));
  const { href } = pathToFileURL(resolve(rendering, "entry-server.js"));
  writeFileSync(join(folder, "server/entry-server.js"), `export * from ${JSON.stringify(href)};\n`);
  if (!existsSync(join(folder, "explorer"))) addExplorer(folder);
  const { child, port, ended, kill } = prepared;
  child.send({ buildFolder: resolve(folder) }, () => undefined);
  let output = "";
  await new Promise((done, fail) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("listening on")) setImmediate(done);
    });
    child.stderr.on("data", (chunk) => (output += chunk));
    ended.then(() => fail(new Error(output)));
  });
  const lines = output;
  for (const stream of [child.stdout, child.stderr]) stream.pipe(process.stdout);
  return {
    port,
    lines,
    /** Kills the process without a shutdown, which would stop the database that its successor uses. */
    end: () => void setTimeout(kill, GRACE_MS),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function findFreePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}
