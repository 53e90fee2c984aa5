import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { startTcpProxy } from "../server/testing/tcp-proxy.ts";
import { fillBlog, json, type Person } from "./testing/people.ts";
import { report, seconds, sleep } from "./testing/observations.ts";

const folders: string[] = [];
let server: EmbeddedPostgres;
let line: Awaited<ReturnType<typeof startTcpProxy>>;
let blog: RunningBlog;
let maya: Person;
let postId: string;

beforeAll(async () => {
  for (let n = 0; n < 2; n++) folders.push(await makeDataDir());
  const [home = "", dataDir = ""] = folders;
  server = await openEmbeddedPostgres(home, () => undefined);
  line = await startTcpProxy(server.url);
  blog = await startBlog({ dataDir, env: { DATABASE_URL: line.url } });
  const filled = await fillBlog(blog.url, server.url, ["Maya"]);
  [maya = { id: "", username: "", token: "" }] = filled.people;
  postId = filled.postId;
});
afterAll(async () => {
  await blog.stop();
  await server.stop();
  await Promise.all(folders.map(removeDataDir));
});

type Responses = { statuses: Record<string, number>; slowest: number };

/** Sends reads, writes and pages that no cache can serve. */
async function requestAll(): Promise<Responses> {
  const nonce = crypto.randomUUID();
  const send = (method: string, path: string, body: object) => () =>
    fetch(blog.url + path, { method, headers: json(maya.token), body: JSON.stringify(body) });
  const read = (path: string) => () => fetch(`${blog.url}${path}?${nonce}`);
  const calls: Record<string, () => Promise<Response>> = {
    categories: read("/api/categories"),
    "the number of posts": read("/api/posts/count"),
    "the first page": read("/"),
    "a page of a post": read(`/posts/details/${postId}`),
    comment: send("POST", "/api/comments", { postId, text: nonce }),
    "change a post": send("PUT", `/api/posts/${postId}`, { title: nonce }),
    graphql: send("POST", "/graphql", { query: `{ postsCount } # ${nonce}` }),
  };
  const statuses: Record<string, number> = {};
  let slowest = 0;
  await Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const began = performance.now();
      const response = await call();
      const body = await response.text();
      slowest = Math.max(slowest, performance.now() - began);
      statuses[name] = body.includes(`"UNAVAILABLE"`) ? 503 : response.status;
    }),
  );
  return { statuses, slowest };
}

const refusalsOf = ({ statuses }: Responses) =>
  Object.values(statuses).filter((status) => status === 503).length;
const isGood = ({ statuses }: Responses) => Object.values(statuses).every((status) => status < 300);

async function loseConnection(context: TestContext, loseIt: () => void): Promise<void> {
  expect(isGood(await requestAll())).toBe(true);
  loseIt();
  const seen = [await requestAll(), await requestAll(), await requestAll()];
  const health = (await fetch(`${blog.url}/health`)).status;
  const ready = (await fetch(`${blog.url}/ready`)).status;
  const began = performance.now();
  line.work();
  while (!isGood(await requestAll()) && performance.now() - began < 30_000) await sleep(100);
  const back = performance.now() - began;
  const slowest = Math.max(...seen.map((each) => each.slowest));
  const refused = seen.reduce((sum, each) => sum + refusalsOf(each), 0);
  report(
    context,
    `${refused} of 21 calls said 503, the slowest after ${seconds(slowest)}; /health ${health}, /ready ${ready}; ` +
      `all good again ${seconds(back)} after its return`,
  );
  expect(refused).toBe(21);
  expect(slowest).toBeLessThan(5_000);
  expect([health, ready]).toEqual([200, 503]);
  expect(back).toBeLessThan(10_000);
  expect(blog.process.exitCode).toBe(null);
}

test("PostgreSQL gone: 503 within 5 s, back within 10 s of its return", (context) =>
  loseConnection(context, line.refuse));
test("PostgreSQL hung: 503 within 5 s, back within 10 s of its return", (context) =>
  loseConnection(context, line.hang));
