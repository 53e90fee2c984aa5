import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { traceStatement } from "../data/traced-statements.ts";
import { startWorker } from "../jobs/worker.ts";
import { openTracing } from "./open-tracing.ts";
import { runJob } from "./operation.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { longestDelay } from "../testing/event-loop.ts";
import { createPost } from "../testing/factories.ts";
import { tracing } from "./tracing.ts";

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Span = Record<"traceId" | "spanId" | "name", string> & {
  parentSpanId?: string;
  kind: number;
  status: { code?: number };
  attributes: Attribute[];
};
type Body = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
};

/** As numbered by OTLP. */
const [SERVER, INTERNAL, CLIENT, CONSUMER] = [2, 1, 3, 5];
const [TRACE, PARENT] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
const traceparent = `00-${TRACE}-${PARENT}-01`;

const received: Body[] = [];
const collector = createServer(async (request, response) => {
  if (request.url === "/v1/traces") received.push((await json(request)) as Body);
  response.setHeader("content-type", "application/json").end("{}");
});

let blog: TestApp;
let author: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
beforeAll(async () => {
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
  blog = await startTestApp({}, { observers: [traceStatement] });
  author = await blog.signUp();
  postId = (await createPost(blog.db, { userId: author.id, title: "On slate" })).id;
});
afterAll(() => void collector.close());
beforeEach(() => {
  received.splice(0);
  const { port } = collector.address() as AddressInfo;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  vi.stubEnv("OTEL_SERVICE_NAME", "blog-of-maya");
  onTestFinished(() => void vi.unstubAllEnvs());
});

const quiet = { warn: () => undefined };

/** The spans that the collector receives of `work`. */
async function spansOf(work: () => Promise<unknown>, share = 1): Promise<Span[]> {
  const close = await openTracing(share, quiet);
  await work().finally(close);
  return received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

function find(spans: Span[], kind: number, name: string | RegExp): Span {
  const found = spans.find((span) => span.kind === kind && span.name.search(name) === 0);
  expect(found, `${name} in ${spans.map((span) => span.name)}`).toBeDefined();
  return found as Span;
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const childrenOf = (spans: Span[], { spanId }: Span) => spans.filter((span) => span.parentSpanId === spanId);

function expectNone(...values: string[]): void {
  const text = JSON.stringify(received);
  for (const value of values) expect(text).not.toContain(value);
}

test("a page continues the trace of its request: its queries, and their statements without values", async () => {
  const url = `/posts/details/${postId}?secret=of-a-reader`;
  const spans = await spansOf(() => blog.app.inject({ url, headers: { traceparent } }));
  const page = find(spans, SERVER, "GET page");
  expect(page).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(attributesOf(page)).toMatchObject({ "http.route": "page", "http.response.status_code": 200 });
  const query = find(childrenOf(spans, page), INTERNAL, "query ");
  const statement = find(childrenOf(spans, query), CLIENT, "SELECT");
  expect(attributesOf(statement)).toMatchObject({
    "db.system.name": "postgresql",
    "db.query.text": expect.stringContaining("SELECT"),
  });
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const [resource] = received[0]?.resourceSpans ?? [];
  expect(JSON.stringify(resource?.resource)).toContain("blog-of-maya");
  expectNone("secret", "of-a-reader", postId);
});

test("a query is a child of its request, on its first execution and compiled", async () => {
  const source = "query Titles($id: ID!) { post(id: $id) { title } }";
  const spans = await spansOf(async () => {
    await blog.gql(source, { id: postId }, author.token);
    await blog.gql(source, { id: postId }, author.token);
  });
  const requests = spans.filter(({ kind }) => kind === SERVER);
  expect(requests.map(({ name }) => name)).toEqual(["POST /graphql", "POST /graphql"]);
  for (const request of requests) {
    expect(request.parentSpanId ?? "").toBe("");
    // The session is looked up before the operation is known.
    find(childrenOf(spans, request), CLIENT, "SELECT");
    const query = find(childrenOf(spans, request), INTERNAL, /^query Titles$/);
    expect(attributesOf(query)).toMatchObject({ "graphql.operation.name": "Titles" });
    find(childrenOf(spans, query), CLIENT, "SELECT");
  }
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  expectNone(postId, author.token, author.email);
});

test("a request of REST leaves neither its body nor its URL", async () => {
  const spans = await spansOf(async () => {
    await blog.rest("POST", "/auth/login", null, { email: author.email, password: PASSWORD });
    await blog.rest("GET", `/posts/${postId}?variants=true`, author.token);
  });
  const login = find(spans, SERVER, "POST /api/auth/login");
  expect(childrenOf(spans, login).length).toBeGreaterThan(1);
  find(spans, SERVER, "GET /api/posts/:id");
  expectNone(author.email, PASSWORD, author.token, postId, "variants=");
});

test("a statement that fails is marked by its SQLSTATE, without its message", async () => {
  const spans = await spansOf(() =>
    runJob("failing", () => blog.db.$queryRawUnsafe("SELECT $1::uuid", "a-private-value").catch(() => null)),
  );
  const statement = find(spans, CLIENT, "SELECT");
  expect(attributesOf(statement)).toMatchObject({
    "error.type": "22P02",
    "db.query.text": "SELECT $1::uuid",
  });
  expect(statement.status.code).toBe(2);
  expectNone("a-private-value");
});

test("a job is a trace of its own, with its statements", async () => {
  const url = String(blog.pool.options.connectionString);
  const stop = await startWorker({ url }, blog.services, async () => undefined);
  const isDone = async () =>
    (await blog.pool.query("SELECT FROM graphile_worker._private_jobs WHERE key = 'traced'")).rowCount === 0;
  const spans = await spansOf(async () => {
    await blog.pool.query("SELECT graphile_worker.add_job('relate_posts', job_key := 'traced')");
    await expect.poll(isDone, { timeout: 8_000 }).toBe(true);
  }).finally(stop);
  const job = find(spans, CONSUMER, "job relate_posts");
  expect(job.parentSpanId ?? "").toBe("");
  find(childrenOf(spans, job), CLIENT, "SELECT");
  // Neither polling nor this test's statements belong to an operation.
  expect(spans.filter(({ name, parentSpanId }) => !parentSpanId && !name.startsWith("job "))).toEqual([]);
});

test("traces of clients that do not record them, and a share of the others, are not exported", async () => {
  const headers = { traceparent: `00-${TRACE}-${PARENT}-00` };
  expect(await spansOf(() => blog.app.inject({ url: "/api/categories", headers }))).toEqual([]);
  expect(await spansOf(() => blog.rest("GET", "/categories"), 0)).toEqual([]);
  expect(await spansOf(() => blog.app.inject("/health"))).toEqual([]);
});

test("a malformed traceparent begins a trace", async () => {
  for (const wrong of ["", "x", `00-${"0".repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`]) {
    received.splice(0);
    const headers = { traceparent: wrong };
    const spans = await spansOf(() => blog.app.inject({ url: "/api/categories", headers }));
    expect(find(spans, SERVER, "GET /api/categories").traceId).not.toBe(TRACE);
  }
});

test("a collector that is away is noted in the log, and does not delay a stop", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
  const warn = vi.fn();
  const stop = async (timeout: string) => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", timeout);
    const close = await openTracing(1, { warn });
    await blog.rest("GET", "/categories");
    await close();
    expect(tracing.start).toBeNull();
  };
  await stop("200");
  const message = "traces cannot be exported; further failures are noted once a minute";
  expect(warn.mock.calls).toEqual([[{ reason: expect.stringMatching(/./) }, message]]);
  const began = performance.now();
  await stop("10000");
  expect(performance.now() - began).toBeLessThan(4_000);
});

// R35B O1: the exporter read the first for as long as they came, and kept each byte of the second as a Buffer.
test.each([
  ["informational answers", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100_000)],
  [
    "parts of one byte",
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(500_000)}`,
  ],
])("the connection of a collector that sends many %s is cut", async (_name, bytes) => {
  let wasCut = false;
  const hostile = createTcpServer((socket) => {
    socket.on("error", () => undefined).on("close", () => (wasCut = true));
    socket.once("data", () => socket.write(bytes));
  });
  await new Promise<void>((done) => hostile.listen(0, "127.0.0.1", done));
  onTestFinished(() => void hostile.close());
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`);
  const close = await openTracing(1, quiet);
  await blog.rest("GET", "/categories");
  const delay = await longestDelay(close());
  await vi.waitUntil(() => wasCut);
  expect(delay).toBeLessThan(500);
});
