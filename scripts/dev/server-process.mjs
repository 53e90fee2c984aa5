import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { addExplorer } from "../builds.mjs";

/** Milliseconds that a replaced process gets to finish its requests. */
const GRACE_MS = 3_000;

/**
 * Starts the server of a build and resolves when it is ready.
 * @param {string} folder contains `server`; Vite serves the client, so its manifest is a stub
 * @param {string} rendering contains the client's code for server rendering
 * @param {{ entry: string, publicPort: number }} options
 */
export async function startServer(folder, rendering, { entry, publicPort }) {
  mkdirSync(join(folder, "client"), { recursive: true });
  const font = "client/generated/fonts/newsreader.woff2";
  const manifest = { "client/app/entry-client.tsx": { file: entry.slice(1) }, [font]: { file: font } };
  writeFileSync(join(folder, "client/manifest.json"), JSON.stringify(manifest));
  const { href } = pathToFileURL(resolve(rendering, "entry-server.js"));
  writeFileSync(join(folder, "server/entry-server.js"), `export * from ${JSON.stringify(href)};\n`);
  if (!existsSync(join(folder, "explorer"))) addExplorer(folder);
  const port = await findFreePort();
  const env = {
    // Speeds up the start on Node 22 and later.
    NODE_COMPILE_CACHE: resolve(".cache/dev/compiled"),
    ...{ PUBLIC_URL: `http://localhost:${publicPort}`, LOG_LEVEL: "warn", ...process.env },
    ...{ PORT: String(port), HOST: "127.0.0.1", BUILD_DIR: resolve(folder), NODE_ENV: "development" },
  };
  const child = spawn(process.execPath, ["--enable-source-maps", resolve(folder, "server/main.js")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise((done) => child.once("exit", done));
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
    end() {
      const kill = () => child.kill("SIGKILL");
      setTimeout(kill, GRACE_MS);
      process.once("exit", kill);
    },
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
