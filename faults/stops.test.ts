import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { openFolder } from "../server/media/folder.ts";
import { encodeForm } from "../server/testing/forms.ts";
import { makePicture } from "../server/testing/pictures.ts";
import { findBroken, readFacts } from "./testing/findings.ts";
import { createHistory } from "./testing/history.ts";
import { CATEGORY, fillBlog, json } from "./testing/people.ts";
import { report, seconds, sleep } from "./testing/observations.ts";
import { commentFact, postFact } from "./testing/writers.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterAll(() => removeDataDir(dataDir));

/** Sends a request on a new connection: a reused one could be closed by the server's keep-alive timeout. */
const callOnce = (url: string, headers: Record<string, string>, body: string) =>
  new Promise<Response>((resolve, reject) => {
    const call = request(url, { method: "POST", headers, agent: false }, (response) => {
      text(response).then((body) => resolve(new Response(body, { status: response.statusCode })), reject);
    });
    call.on("error", reject).end(body);
  });

function beginUpload(site: string, token: string, title: string, image: Buffer) {
  const fields = { title, description: `This is all that ${title} says.`, category: CATEGORY };
  const form = Object.entries(fields).map(([name, value]) => ({ name, value }));
  const { payload, headers } = encodeForm([...form, { name: "image", value: image, filename: "a.jpg" }]);
  const socket = connect(Number(new URL(site).port), "127.0.0.1");
  const response = text(socket).catch(() => "");
  const head = [
    "POST /api/posts HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${token}`,
    `Content-Type: ${headers["content-type"]}`,
    `Content-Length: ${payload.length}`,
  ];
  const half = Math.floor(payload.length / 2);
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(payload.subarray(0, half));
  return async () => {
    socket.write(payload.subarray(half));
    const [, status = "0"] = /^HTTP\/1\.1 (\d+)/.exec(await response) ?? [];
    return new Response(null, { status: Number(status) || 599 });
  };
}

test("SIGTERM under load: all started requests get responses, exit 0 within 15 s", async (context) => {
  const blog = await startBlog({ dataDir, env: { DEMO: "off", RATE_LIMITS: "off" } });
  const database = await openEmbeddedPostgres(dataDir, () => undefined);
  const { people, postId } = await fillBlog(blog.url, database.url, ["Maya"]);
  const [{ token } = { token: "" }] = people;
  const history = createHistory();
  const image = await makePicture("jpeg", 640, 480);
  const titles = Array.from({ length: 5 }, () => crypto.randomUUID());
  const uploads = titles.map((title) => beginUpload(blog.url, token, title, image));

  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const comment = crypto.randomUUID();
      const body = JSON.stringify({ postId, text: comment });
      const call = () => callOnce(`${blog.url}/api/comments`, json(token), body);
      if (!(await history.write(commentFact(comment), "there", call))) await sleep(10);
    }
  };
  const writing = Array.from({ length: 16 }, write);
  await sleep(1_500);
  const before = history.tally.acknowledged;
  const began = performance.now();
  const ended = once(blog.process, "exit") as Promise<[number | null]>;
  blog.process.kill("SIGTERM");
  blog.process.kill("SIGTERM");
  await sleep(500);
  const statuses = await Promise.all(
    uploads.map(
      async (finish, n) => (await history.write(postFact(titles[n] ?? ""), "there", finish))?.status,
    ),
  );
  const [code] = await ended;
  const took = performance.now() - began;
  isOver = true;
  await Promise.all(writing);

  const { acknowledged, unanswered } = history.tally;
  const again = await openEmbeddedPostgres(dataDir, () => undefined);
  const facts = await readFacts(again.url);
  const broken = await findBroken(again.url, openFolder(join(dataDir, "media")), new Set());
  await again.stop();
  const there = [...facts.values()].length;
  report(
    context,
    `exit ${code} after ${seconds(took)}; ${acknowledged} acknowledged (${acknowledged - before} after the signal, ` +
      `5 uploads with ${statuses.join()}), ${there} there; ${unanswered} found the door closed, none of them done`,
  );
  expect(code).toBe(0);
  expect(took).toBeLessThan(15_000);
  expect(statuses).toEqual([201, 201, 201, 201, 201]);
  // Unacknowledged uploads must have no effect.
  expect(there).toBe(acknowledged);
  expect(history.check(facts)).toEqual([]);
  expect(broken).toEqual([]);
});
