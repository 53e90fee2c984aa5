import { spawn } from "node:child_process";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { fillBlog } from "./testing/people.ts";
import { report, quantile, seconds, sleep } from "./testing/observations.ts";

let dataDir: string;
let blog: RunningBlog;
beforeAll(async () => {
  dataDir = await makeDataDir();
  // Without a response cache each request costs work.
  blog = await startBlog({ dataDir, env: { READ_CACHE: "off", DEMO: "off", RATE_LIMITS: "off" } });
  const database = await openEmbeddedPostgres(dataDir, () => undefined);
  await fillBlog(blog.url, database.url, ["Maya"]);
});
afterAll(async () => {
  await blog.stop();
  await removeDataDir(dataDir);
});

const paths = ["/health", "/api/posts?pageNumber=1", "/api/categories", "/"];

function stall(count: number, data: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(blog.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(data);
    socket.resume();
    onTestFinished(() => void socket.destroy());
    return socket;
  });
}

test("500 slow heads, 50 slow bodies and 300 idle connections: ordinary requests are all served", async (context) => {
  const body =
    "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  const slow = [
    ...stall(500, "GET / HTTP/1.1\r\nHost: x\r\n"),
    ...stall(50, body),
    ...stall(300, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"),
  ];
  await sleep(500);
  const times: number[] = [];
  const statuses = new Map<number, number>();
  let open = 0;
  for (let n = 0; n < 40; n++)
    for (const path of paths) {
      const began = performance.now();
      const response = await fetch(blog.url + path);
      await response.arrayBuffer();
      times.push(performance.now() - began);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (n === 0) open = slow.filter((socket) => !socket.closed).length;
    }
  const [middle, slowest] = [quantile(times, 0.5), Math.max(...times)];
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  report(
    context,
    `beside ${open} of them: ${counts}; half within ${Math.round(middle)} ms, the slowest ${Math.round(slowest)} ms`,
  );
  expect(open).toBe(850);
  expect([...statuses.keys()]).toEqual([200]);
});

/** Uses a new connection, as a health check does. */
const statusOf = (path: string) =>
  new Promise<string>((resolve) => {
    const call = get(blog.url + path, { agent: false }, (response) => {
      response.resume().on("end", () => resolve(String(response.statusCode)));
    });
    call.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "cut"));
  });

type LoadResult = { tally: Record<string, number>; times: Record<"200" | "503", number[]> };

/** @returns stops the load generator and returns its results */
function startLoad(count: number, connection: string): () => Promise<LoadResult> {
  const { port } = new URL(blog.url);
  const args = ["faults/testing/load-generator.mjs", port, String(count), connection, ...paths.slice(1)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return async () => {
    child.kill("SIGTERM");
    return JSON.parse(await text(child.stdout)) as LoadResult;
  };
}

const within = (times: number[]) =>
  times.length === 0
    ? "none"
    : `half within ${Math.round(quantile(times, 0.5))} ms, 99 % within ${Math.round(quantile(times, 0.99))} ms`;

test.for([
  [32, "keep-alive"],
  [100, "keep-alive"],
  [1_000, "keep-alive"],
  [1_000, "close"],
] as const)(
  "%i connections without pauses (%s): 200 or 503 with Retry-After, /health within 1 s",
  async ([count, connection], context) => {
    const stopLoad = startLoad(count, connection);
    const health: { status: string; time: number }[] = [];
    for (const end = performance.now() + 12_000; performance.now() < end;) {
      const began = performance.now();
      health.push({ status: await statusOf("/health"), time: performance.now() - began });
      await sleep(100);
    }
    const { tally, times } = await stopLoad();
    const began = performance.now();
    while ((await statusOf("/api/categories")) !== "200") await sleep(50);
    const back = performance.now() - began;
    const waits = health.map(({ time }) => time);
    const slowest = Math.max(...waits);
    report(
      context,
      `${times[200].length} × 200, ${within(times[200])}; ${times[503].length} × 503, ${within(times[503])}; ` +
        `/health ${waits.length} times, ${within(waits)}, the slowest ${Math.round(slowest)} ms; ` +
        `200 again after ${seconds(back)}`,
    );
    expect(Object.keys(tally).filter((outcome) => outcome !== "200" && outcome !== "503")).toEqual([]);
    expect(new Set(health.map(({ status }) => status))).toEqual(new Set(["200"]));
    expect(slowest).toBeLessThan(1_000);
  },
);
