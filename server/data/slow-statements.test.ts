import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startWorker } from "../jobs/worker.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";
import { tracing } from "../tracing/tracing.ts";
import { logSlowStatements } from "./slow-statements.ts";

type Line = Partial<Record<"reqId" | "operation" | "graphql" | "statement" | "msg", string>>;

const lines: (Line & { statements?: number; milliseconds?: number })[] = [];
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
const slowLines = () => lines.filter(({ msg }) => msg === "a slow SQL statement");

let blog: TestApp;
let author: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
/** Each statement counts as slow. A new window of the limit of lines begins with each test. */
let slow = logSlowStatements(log, 0);
const observe = (text: string) => slow.observe(text);
beforeAll(async () => {
  blog = await startTestApp({}, { observers: [observe] });
  author = await blog.signUp();
  postId = (await createPost(blog.db, { userId: author.id, title: "On slate" })).id;
});
beforeEach(() => {
  slow = logSlowStatements(log, 0);
  tracing.start = () => ({ end: () => undefined });
  lines.splice(0);
});
afterEach(() => {
  tracing.start = null;
});

const expectNone = (...values: string[]) => {
  const texts = JSON.stringify(slowLines());
  for (const value of values) expect(texts).not.toContain(value);
};

test("a slow statement is logged with its route and request, and without values", async () => {
  const { headers } = await blog.rest("GET", `/posts/${postId}`, author.token);
  const [line] = slowLines().filter(({ statement }) => statement?.includes('post."title"'));
  expect(line).toMatchObject({
    ...{ operation: "GET /api/posts/:id", reqId: headers["x-request-id"] },
    ...{ statement: expect.stringContaining("$1"), milliseconds: expect.any(Number) },
  });
  expectNone(postId, author.token, author.id);
});

test("without traces by its text alone", async () => {
  tracing.start = null;
  await blog.gql("query Titles($id: ID!) { post(id: $id) { title } }", { id: postId });
  expect(slowLines()).toContainEqual(
    expect.objectContaining({ statement: expect.stringContaining('post."title"') }),
  );
  for (const line of slowLines()) {
    expect(line).not.toHaveProperty("operation");
    expect(line).not.toHaveProperty("reqId");
  }
  expectNone(postId);
});

test("in GraphQL with the name of the operation, on its first request, compiled, and on pages", async () => {
  const query = "query Titles($id: ID!) { post(id: $id) { title } }";
  for (const _ of ["first", "compiled"]) {
    lines.splice(0);
    const { headers } = await blog.gql(query, { id: postId });
    const ofPost = { operation: "POST /graphql", graphql: "Titles", reqId: headers["x-request-id"] };
    expect(slowLines()).toContainEqual(expect.objectContaining(ofPost));
  }
  lines.splice(0);
  expect((await blog.app.inject(`/posts/details/${postId}`)).statusCode).toBe(200);
  const named = slowLines().filter(({ graphql }) => graphql !== undefined);
  expect(named[0]).toMatchObject({ operation: "GET page", reqId: expect.stringMatching(/^[\da-f-]{36}$/) });
  expectNone(postId);
});

test("of a write, with the body read and in a transaction, and of a job", async () => {
  const body = { email: author.email, password: PASSWORD };
  expect((await blog.rest("POST", "/auth/login", null, body)).status).toBe(200);
  const writes = slowLines().filter(({ statement }) => /^(BEGIN|INSERT|UPDATE)/.test(statement ?? ""));
  expect(writes.length).toBeGreaterThan(0);
  for (const line of slowLines()) expect(line.operation).toBe("POST /api/auth/login");
  expectNone(author.email, PASSWORD);
  const url = String(blog.pool.options.connectionString);
  onTestFinished(await startWorker({ url }, blog.services, async () => undefined));
  slow = logSlowStatements(log, 0);
  await blog.pool.query("SELECT graphile_worker.add_job('relate_posts')");
  await vi.waitFor(
    () => expect(slowLines().map(({ operation }) => operation)).toContain("job relate_posts"),
    {
      timeout: 5_000,
    },
  );
});

test("by all connections, and not below the threshold", async () => {
  slow = logSlowStatements(log, 40);
  const sleep = (where: string) => `SELECT pg_sleep(0.05)::text AS ${where}`;
  await blog.pool.query(sleep("pool"));
  await blog.db.$queryRawUnsafe(sleep("prisma"));
  await blog.db.$transaction((tx) => tx.$queryRawUnsafe(sleep("transaction")));
  await expect(blog.pool.query(`${sleep("failing")} FROM pg_sleep(0.05), no_table`)).rejects.toThrow();
  const texts = slowLines().map(({ statement }) => statement);
  expect(texts).toEqual(expect.arrayContaining(["pool", "prisma", "transaction"].map(sleep)));
  slow = logSlowStatements(log, 60_000);
  lines.splice(0);
  await blog.pool.query(sleep("fast"));
  expect([lines, slow.count()]).toEqual([[], 0]);
});

test("a slow database does not flood the log: after ten lines a minute only their number follows", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  slow = logSlowStatements(log, 0);
  for (let n = 0; n < 25; n++) slow.observe("SELECT 1")();
  expect(slowLines()).toHaveLength(10);
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toMatchObject({ statements: 15 });
  slow.observe("SELECT 1")();
  expect([slowLines().length, slow.count()]).toEqual([11, 26]);
});
