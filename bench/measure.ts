import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { platform } from "node:os";
import autocannon from "autocannon";

export type Request = {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: string;
  headers?: Record<string, string>;
};

export type Running = { name: string; origin: string; child: ChildProcess; stop: () => Promise<void> };

/** Starts a server in its own process and waits until it prints that it listens. */
export async function start(
  name: string,
  [command, ...args]: [string, ...string[]],
  env: Record<string, string>,
  cwd?: string,
): Promise<Running> {
  const port = await freePort();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NODE_ENV: "production", GRAPHILE_ENV: "production", ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  process.setMaxListeners(20);
  process.once("exit", () => child.kill("SIGTERM"));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-4_000);
        if (/listening/.test(output)) resolve();
      });
    child.on("exit", (code) => reject(new Error(`${name} ended with ${code}:\n${output}`)));
  });
  const gone = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return {
    name,
    child,
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill("SIGTERM");
      return gone;
    },
  };
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

export const CONNECTIONS = 32;

/** `cpu` is the server's CPU time per response in ms, the figure that a busy machine affects least. */
export type Figures = { perSecond: number; p50: number; p99: number; failed: number; cpu: number };

/**
 * Sends requests over 32 connections after a warm-up of a quarter of `seconds`.
 * @param requests one per connection, or one for all of them; each connection repeats its own
 */
export async function load(running: Running, requests: Request[][], seconds: number): Promise<Figures> {
  await run(running.origin, requests, seconds / 4);
  const before = await cpuOf(running);
  const figures = await run(running.origin, requests, seconds);
  const responses = figures.perSecond * seconds + figures.failed;
  return { ...figures, cpu: ((await cpuOf(running)) - before) / Math.max(responses, 1) };
}

/** CPU time of a process in ms; Linux counts in hundredths of a second. */
export async function cpuOf({ child }: Running): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => "");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

async function run(origin: string, requests: Request[][], seconds: number): Promise<Omit<Figures, "cpu">> {
  let connection = 0;
  const { hostname: host, port } = new URL(origin);
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: 250,
    setupClient: (client) => {
      client.setRequests((requests[connection % requests.length] ?? []).map(toCannon));
      // autocannon has no option for it, but passes its port to net.connect, which takes an object as well.
      const { opts } = client as unknown as { opts: { port: object } };
      opts.port = { port: Number(port), host, localAddress: addressOf(connection++) };
    },
    requests: [toCannon(requests[0]?.[0])],
  });
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

/** An IP address for each connection, as readers have: the blog limits those of one network. Linux has all of 127.0.0.0/8. */
const addressOf = (connection: number) => (platform() === "linux" ? `127.0.1.${connection + 1}` : undefined);

const toCannon = (request?: Request) => ({
  method: request?.method ?? "GET",
  path: request?.path ?? "/",
  ...(request?.body && { body: request.body }),
  headers: { ...(request?.body && { "content-type": "application/json" }), ...request?.headers },
});
