import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { fillBlog } from "./testing/people.ts";
import { note, quantile, seconds, sleep } from "./testing/seen.ts";

let dataDir: string;
let blog: RunningBlog;
beforeAll(async () => {
  dataDir = await makeDataDir();
  // Nothing is kept, so that each call is work.
  blog = await startBlog({ dataDir, env: { READ_CACHE: "off", DEMO: "off", RATE_LIMITS: "off" } });
  const database = await openEmbeddedPostgres(dataDir, () => undefined);
  await fillBlog(blog.url, database.url, ["Maya"]);
});
afterAll(async () => {
  await blog.stop();
  await removeDataDir(dataDir);
});

const paths = ["/health", "/api/posts?pageNumber=1", "/api/categories", "/"];

function stall(count: number, words: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(blog.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(words);
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
      const answer = await fetch(blog.url + path);
      await answer.arrayBuffer();
      times.push(performance.now() - began);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (n === 0) open = slow.filter((socket) => !socket.closed).length;
    }
  const [middle, slowest] = [quantile(times, 0.5), Math.max(...times)];
  const said = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  note(
    context,
    `beside ${open} of them: ${said}; half within ${Math.round(middle)} ms, the slowest ${Math.round(slowest)} ms`,
  );
  expect(open).toBe(850);
  expect([...statuses.keys()]).toEqual([200]);
});

const ask = (path: string, agent?: Agent) =>
  new Promise<string>((resolve) => {
    const call = get(blog.url + path, { agent: agent ?? false }, (answer) => {
      const isUseful = answer.statusCode !== 503 || answer.headers["retry-after"] !== undefined;
      answer
        .resume()
        .on("end", () => resolve(isUseful ? String(answer.statusCode) : "503 without Retry-After"));
    });
    call.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "cut"));
  });

test("1000 connections at once: 200 or 503 with Retry-After, and /health answers", async (context) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  onTestFinished(() => agent.destroy());
  const tally = new Map<string, number>();
  const health: { status: string; time: number }[] = [];
  let isOver = false;
  const hammer = async (n: number) => {
    while (!isOver) {
      const answer = await ask(paths[1 + (n % 3)] ?? "/", agent);
      tally.set(answer, (tally.get(answer) ?? 0) + 1);
      // Whoever is refused comes back: far sooner than told, but not in the same breath.
      if (answer.startsWith("503")) await sleep(200);
    }
  };
  const crowd = Array.from({ length: 1_000 }, (_, n) => hammer(n));
  const end = Date.now() + 15_000;
  while (Date.now() < end) {
    const began = performance.now();
    health.push({ status: await ask("/health"), time: performance.now() - began });
    await sleep(250);
  }
  isOver = true;
  note(context, [...tally].map(([answer, count]) => `${count} × ${answer}`).join(", "));
  await Promise.all(crowd);
  const began = performance.now();
  while ((await ask("/api/categories")) !== "200") await sleep(50);
  const back = performance.now() - began;
  const said = [...tally].map(([answer, count]) => `${count} × ${answer}`).join(", ");
  const slowest = Math.max(...health.map(({ time }) => time));
  note(
    context,
    `${said}; /health ${health.length} × ${[...new Set(health.map(({ status }) => status))].join()}, ` +
      `the slowest ${seconds(slowest)}; 200 again after ${seconds(back)}`,
  );
  expect([...tally.keys()].filter((answer) => answer !== "200" && answer !== "503")).toEqual([]);
  expect(new Set(health.map(({ status }) => status))).toEqual(new Set(["200"]));
  expect(health.length).toBeGreaterThan(5);
});
