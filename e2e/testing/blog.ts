import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../../server/data/embedded/free-port.ts";

export type RunningBlog = {
  url: string;
  process: ChildProcess;
  dataDir: string;
  output: () => string;
  /** Sends the signal and waits. @returns the exit code */
  stop: () => Promise<number | null>;
};

type Options = {
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  program?: { folder: string; script: string };
};

export const makeDataDir = () => mkdtemp(join(tmpdir(), "blog-e2e-"));
/** Again if a file was added meanwhile: the claim of an embedded PostgreSQL that a test has not stopped is renewed. */
export const removeDataDir = (dataDir: string) =>
  rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Starts the built server as `npm start` does, with its own port and data folder. */
export function spawnBlog(
  port: number,
  dataDir: string,
  env: Record<string, string> = {},
  { folder, script } = { folder: ".", script: "dist/server/main.js" },
) {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: {
      ...{ PATH, HOME, TMPDIR, NODE_ENV: "production", LOG_LEVEL: "warn", ENV_FILE: "/dev/null" },
      ...{ PORT: String(port), DATA_DIR: dataDir },
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

/** @throws if the server exits or does not print `listening` within two minutes */
export async function startBlog({ dataDir, port, env, program }: Options = {}): Promise<RunningBlog> {
  const home = dataDir ?? (await makeDataDir());
  const where = port ?? (await findFreePort());
  const { child, output } = spawnBlog(where, home, env, program);
  for (const end = Date.now() + 120_000; !output().includes("listening on");) {
    if (child.exitCode !== null || Date.now() > end) {
      child.kill();
      throw new Error(`the blog did not start:\n${output()}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    return child.exitCode;
  };
  return { url: `http://localhost:${where}`, process: child, dataDir: home, output, stop };
}
