import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { makeDataDir, removeDataDir } from "../../e2e/testing/blog.ts";
import { findFreePort } from "../../server/data/embedded/free-port.ts";
import { openEmbeddedPostgres } from "../../server/data/embedded/embedded-postgres.ts";

export type Held = { heapUsed: number; rss: number; external: number; sockets: number };

export type Target = {
  port: number;
  url: string;
  databaseUrl: string;
  /** Memory in bytes and the number of sockets, after a forced garbage collection. */
  measure: () => Promise<Held>;
  countObjects: () => Promise<Record<string, number>>;
  isAlive: () => boolean;
  output: () => string;
  stop: () => Promise<void>;
};

/** Starts the built server with the probe and without demo content. */
export async function startTarget(env: Record<string, string> = {}): Promise<Target> {
  const [port, dataDir] = [await findFreePort(), await makeDataDir()];
  const { PATH = "", HOME = "" } = process.env;
  const child = fork("dist/server/main.js", [], {
    execArgv: ["--expose-gc", "--import", resolve("attacks/testing/probe.mjs")],
    env: {
      PATH,
      HOME,
      ENV_FILE: "/dev/null",
      NODE_ENV: "production",
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DEMO: "off",
      ...env,
    },
    silent: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  for (const end = Date.now() + 120_000; !output.includes("listening on");) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`the target did not start:\n${output}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  const { url: databaseUrl } = await openEmbeddedPostgres(dataDir, () => undefined);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    measure: () => sendCommand<Held>(child, "measure"),
    countObjects: () => sendCommand<Record<string, number>>(child, "count"),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    async stop() {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await removeDataDir(dataDir);
    },
  };
}

async function sendCommand<T>(child: ChildProcess, question: string): Promise<T> {
  child.send(question);
  const [response] = (await once(child, "message")) as [T];
  return response;
}

export function open(port: number, data: string | Buffer = ""): Socket {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined).resume();
  if (data.length > 0) socket.write(data);
  return socket;
}

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
