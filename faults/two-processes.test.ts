import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { fillBlog, json, PASSWORD, type Person } from "./testing/people.ts";
import { report, quantile, seconds } from "./testing/observations.ts";

const folders: string[] = [];
let server: EmbeddedPostgres;
let one: RunningBlog;
let two: RunningBlog;
let maya: Person;
let postId: string;
const newFolder = async () => {
  const made = await makeDataDir();
  folders.push(made);
  return made;
};

beforeAll(async () => {
  server = await openEmbeddedPostgres(await newFolder(), () => undefined);
  const env = { DATABASE_URL: server.url, WRITE_LIMITS: "1000,1000,1000" };
  one = await startBlog({ dataDir: await newFolder(), env });
  two = await startBlog({ dataDir: await newFolder(), env });
  const filled = await fillBlog(one.url, server.url, ["Maya"]);
  [maya = { id: "", username: "", token: "" }] = filled.people;
  postId = filled.postId;
});
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await server.stop();
  await Promise.all(folders.map(removeDataDir));
});

const PAIRS = 100;

test("two processes: a write through one is read through the other within 50 ms", async (context) => {
  const read = async () =>
    ((await (await fetch(`${two.url}/api/posts/${postId}`)).json()) as { title: string }).title;
  const delays: number[] = [];
  for (let n = 0; n < PAIRS; n++) {
    const title = `Title ${n}`;
    // Fills the other process's cache, which the write has to invalidate.
    await read();
    await read();
    const response = await fetch(`${one.url}/api/posts/${postId}`, {
      method: "PUT",
      headers: json(maya.token),
      body: JSON.stringify({ title }),
    });
    const written = performance.now();
    expect(response.status).toBe(200);
    let sentAt = written;
    while ((await read()) !== title) {
      sentAt = performance.now();
      if (sentAt - written > 5_000) throw new Error("not visible within 5 s");
    }
    // Measures until the request starts, so that its own duration does not count.
    delays.push(sentAt - written);
  }
  const longest = Math.max(...delays);
  report(
    context,
    `${PAIRS} writes: at once ${delays.filter((each) => each === 0).length} times, ` +
      `99 % within ${Math.round(quantile(delays, 0.99))} ms, the slowest ${Math.round(longest)} ms`,
  );
  expect(longest).toBeLessThan(50);
});

test("two processes: they count wrong passwords together, and a third process knows the count", async (context) => {
  const login = async (site: string, password: string) => {
    const body = JSON.stringify({ email: "maya@example.com", password });
    const response = await fetch(`${site}/api/auth/login`, { method: "POST", headers: json(), body });
    return { status: response.status, wait: Number(response.headers.get("retry-after")) };
  };
  const statuses: number[] = [];
  for (let n = 0; n < 10; n++)
    statuses.push((await login([one.url, two.url][n % 2] ?? "", "wrong one")).status);
  const after = [await login(one.url, PASSWORD), await login(two.url, PASSWORD)];
  const env = { DATABASE_URL: server.url, WRITE_LIMITS: "1000,1000,1000" };
  const third = await startBlog({ dataDir: await newFolder(), env });
  after.push(await login(third.url, PASSWORD));
  const code = await third.stop();
  report(context, `10 wrong, then ${after.map(({ status, wait }) => `${status} (${wait} s)`).join(", ")}`);
  expect(statuses).toEqual(Array(10).fill(400));
  for (const { status, wait } of after) {
    expect(status).toBe(429);
    expect(wait).toBeGreaterThan(0);
  }
  expect(code).toBe(0);
});

test("two processes: both stop cleanly", async (context) => {
  const began = performance.now();
  const codes = await Promise.all([one.stop(), two.stop()]);
  report(context, `exits ${codes.join(" and ")} within ${seconds(performance.now() - began)}`);
  expect(codes).toEqual([0, 0]);
});
