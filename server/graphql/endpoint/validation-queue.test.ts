import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { startTestApp } from "../../testing/app.ts";
import { startProcess } from "../../testing/processes.ts";
import { openPlans } from "../compiled/plans.ts";
import { buildBlogSchema } from "../schema.ts";
import { acquireValidationPermit } from "./validation-queue.ts";

const blog = await startTestApp();

const nested = (levels: number) => `${"next { ".repeat(levels)}...A${" }".repeat(levels)}`;

test.each([
  `{ posts { nodes { ...A } } } fragment A on Post { ${nested(58)} ${nested(61)} }`,
  `fragment A on Post { ...B } fragment B on Post { ... on Post { next { ...A } } } { posts { nodes { ...A } } }`,
  `fragment A on Post @skip(if: {}) { ${nested(58)} ${nested(61)} } { posts { nodes { ...A } } }`,
  `fragment #B\nA on Post { ...#B\nA } { posts { nodes { ...A } } }`,
])("H2-3: a fragment that includes itself is refused before validation: %#", async (query) => {
  const { status, body } = await blog.gql(query);
  expect([status, body.errors[0].extensions.code]).toEqual([400, "BAD_USER_INPUT"]);
  expect(body.errors[0].message).toBe('the fragment "A" of this document includes itself');
});

test("H2-3: a fragment named fragment that includes itself is refused", async () => {
  const query = "fragment fragment on Post { ...fragment } { posts { nodes { ...fragment } } }";
  expect((await blog.gql(query)).body.errors[0].message).toContain("includes itself");
});

test.each([
  "fragment fragment on Post { id } fragment A on Post { ...fragment } { posts { nodes { ...A } } }",
  "fragment A on Post { id } query { posts { nodes { ...A } } }",
  "fragment A on Post { id ...B } query { posts { nodes { ...A ...B } } } fragment B on Post { next { title } }",
  "fragment A on Post { id } query ($by: PostOrder = { field: TITLE, direction: ASC }) { posts(orderBy: $by) { nodes { ...A } } }",
  "query { posts { nodes { ...A ...A } } } fragment A on Post { fragment: id on: title ... on Post { ...B } } fragment B on Post { id }",
])("fragments that others include are accepted: %#", async (query) => {
  expect((await blog.gql(query)).body.errors).toBeUndefined();
});

test("A52-1: a document waits for its turn among the heavy tasks, which come after new connections", async () => {
  const turns: { network?: string; begin: () => void }[] = [];
  const next = (network?: string) => new Promise<void>((begin) => turns.push({ network, begin }));
  const release = vi.fn();
  void acquireValidationPermit("{ site { title } }", "2001:db8:7:1::/64", { next }).then(release);
  await new Promise(setImmediate);
  expect(turns.map(({ network }) => network)).toEqual(["2001:db8:7::/48"]);
  expect(release).not.toHaveBeenCalled();
  turns[0]?.begin();
  await expect.poll(() => release.mock.calls.length).toBe(1);
  release.mock.calls[0]?.[0]();
});

test("A52-3: documents of clients that have disconnected are not validated", async () => {
  const schema = buildBlogSchema();
  const plans = openPlans(schema);
  const make = vi.fn(plans.make);
  const { port } = await startProcess(blog, { plans: { ...plans, make } });
  const sockets = Array.from({ length: 40 }, (_, n) => {
    const query = `query Introspection${n} { __schema { types { name fields { name type { name } } } } }`;
    const body = JSON.stringify({ query });
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    const type = "Content-Type: application/json";
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  });
  await expect.poll(() => make.mock.calls.length, { interval: 1 }).toBeGreaterThan(0);
  for (const socket of sockets) socket.resetAndDestroy();
  await new Promise((done) => setTimeout(done, 1_000));
  expect(make.mock.calls.length).toBeLessThan(10);
});
