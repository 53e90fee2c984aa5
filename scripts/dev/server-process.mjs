// A process of the built server in development, on a port of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { addExplorer } from "../builds.mjs";

/** Milliseconds that a process which has been replaced may take to finish what has begun. */
const REST = 3_000;

/**
 * Starts the server of a build, and resolves once it answers.
 * @param {string} folder the build: `server` in it; the client is Vite's, and only its entry is named here
 * @param {{ entry: string, publicPort: number }} options
 */
export async function startServer(folder, { entry, publicPort }) {
  mkdirSync(join(folder, "client"), { recursive: true });
  const font = "client/generated/fonts/newsreader.woff2";
  const manifest = { "client/app/entry-client.tsx": { file: entry.slice(1) }, [font]: { file: font } };
  writeFileSync(join(folder, "client/manifest.json"), JSON.stringify(manifest));
  if (!existsSync(join(folder, "explorer"))) addExplorer(folder);
  const port = await findFreePort();
  const env = {
    // From Node 22 on it starts sooner.
    NODE_COMPILE_CACHE: resolve(".cache/dev/compiled"),
    ...{ PUBLIC_URL: `http://localhost:${publicPort}`, LOG_LEVEL: "warn", ...process.env },
    ...{ PORT: String(port), HOST: "127.0.0.1", BUILD_DIR: resolve(folder), NODE_ENV: "development" },
  };
  const child = spawn(process.execPath, ["--enable-source-maps", resolve(folder, "server/main.js")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise((done) => child.once("exit", done));
  await new Promise((done, fail) => {
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("listening on")) setImmediate(done);
    });
    child.stderr.on("data", (chunk) => (said += chunk));
    ended.then(() => fail(new Error(said)));
  });
  const lines = said;
  for (const stream of [child.stdout, child.stderr]) stream.pipe(process.stdout);
  return {
    port,
    lines,
    /** Replaced by another, which works with the same embedded database: that must not be stopped. */
    end() {
      const kill = () => child.kill("SIGKILL");
      setTimeout(kill, REST);
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
