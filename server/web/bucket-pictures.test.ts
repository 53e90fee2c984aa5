import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { openEncoder } from "../media/encoder.ts";
import { openMediaStore } from "../media/store.ts";
import { openStores } from "../media/stores.ts";
import { addAvif, completePicture } from "../domain/pictures.ts";
import { chargePictureBytes } from "../event-loop/time-budget.ts";
import { PICTURE_BUDGET } from "../limits.ts";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp } from "../testing/app.ts";
import { startBucketServer } from "../testing/bucket.ts";
import { afterFile } from "../testing/cleanup.ts";
import { createCategory } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

const server = await startBucketServer();
const { bucket, endpoint, ...access } = await server.make();
const folder = await mkdtemp(join(tmpdir(), "blog-no-media-"));
const stores = await openStores({ folder, store: { bucket, endpoint }, previous: null, ...access });
const encoder = openEncoder({ file: resolve("dist/server/encoder-process.js") });
const urls = { site: "http://blog.test/media", public: undefined as string | undefined };
const media = openMediaStore(stores.files, urls, encoder);
const PUBLIC = "https://cdn.example.org/pictures";
const lines: { level: number }[] = [];
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
const blog = await startTestApp({ log, openPicture: stores.files.open, mediaPublicUrl: PUBLIC }, { media });
afterFile(async () => {
  stores.close();
  await encoder.close();
  await rm(folder, { recursive: true });
});
await createCategory(blog.db, "Craft");
const maya = await blog.signUp();

const fields = { title: "Bread", description: "A text that is long enough.", category: "Craft" };
const publish = async () => {
  const form = Object.entries(fields).map(([name, value]) => ({ name, value }));
  const image = { name: "image", value: await makePicture("jpeg", 1_200, 800), filename: "a.jpg" };
  return blog.restForm("POST", "/posts", maya.token, [...form, image]);
};
const portOf = async () => {
  if (!blog.app.server.listening) await blog.app.listen({ port: 0, host: "127.0.0.1" });
  return (blog.app.server.address() as AddressInfo).port;
};
const pathOf = (url: string) => new URL(url).pathname;
const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  blog.app.inject({ url: pathOf(url), headers, method });

test("a picture uploaded by REST is shown from the bucket with the headers of a file, and deleted with its post", async () => {
  const { status, body } = await publish();
  expect(status).toBe(201);
  const { url } = body.image;
  const whole = await get(url);
  expect(whole.headers).toMatchObject({
    "content-type": "image/jpeg",
    "content-length": String(whole.rawPayload.length),
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "accept-ranges": "bytes",
    etag: expect.stringMatching(/^"/),
    "last-modified": expect.stringMatching(/GMT$/),
  });
  const head = await get(url, {}, "HEAD");
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
  expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
  const page = await blog.app.inject(`/posts/details/${body._id}`);
  expect(page.body).toContain(pathOf(url));
  expect((await blog.rest("DELETE", `/posts/${body._id}`, maya.token)).status).toBe(200);
  const missing = await get(url);
  expect([missing.statusCode, missing.headers["cache-control"]]).toEqual([404, undefined]);
});

test("pictures and parts of them are not compressed for browsers", async () => {
  const { url } = (await publish()).body.image;
  const plain = await get(url);
  for (const range of [{}, { range: "bytes=0-1999" }] as Record<string, string>[]) {
    const { headers, rawPayload } = await get(url, { "accept-encoding": "gzip, deflate, br", ...range });
    expect([headers["content-encoding"], headers.etag]).toEqual([undefined, plain.headers.etag]);
    expect(rawPayload.equals(plain.rawPayload.subarray(0, rawPayload.length))).toBe(true);
  }
});

test("conditions and ranges of requests are respected", async () => {
  const { url } = (await publish()).body.image;
  const { rawPayload, headers } = await get(url);
  const etag = String(headers.etag);
  const fresh = await get(url, { "if-none-match": etag });
  expect([fresh.statusCode, fresh.body, fresh.headers.etag]).toEqual([304, "", etag]);
  expect((await get(url, { "if-none-match": `W/${etag}` })).statusCode).toBe(304);
  expect((await get(url, { "if-none-match": '"other"' })).statusCode).toBe(200);
  expect((await get(url, { "if-modified-since": String(headers["last-modified"]) })).statusCode).toBe(304);
  expect((await get(url, { "if-modified-since": "yesterday" })).statusCode).toBe(200);
  for (const more of [{}, { "if-range": etag }] as Record<string, string>[]) {
    const part = await get(url, { range: "bytes=10-19", ...more });
    expect([part.statusCode, part.headers["content-range"]]).toEqual([
      206,
      `bytes 10-19/${rawPayload.length}`,
    ]);
    expect(part.rawPayload).toEqual(rawPayload.subarray(10, 20));
  }
  const ignored: Record<string, string>[] = [
    { range: "bytes=0-1,5-6" },
    { range: "lines=1" },
    { range: "bytes=1-2", "if-range": '"x"' },
  ];
  for (const each of ignored) {
    const all = await get(url, each);
    expect([all.statusCode, all.rawPayload.length]).toEqual([200, rawPayload.length]);
  }
  const beyond = await get(url, { range: "bytes=99999999-" });
  expect([beyond.statusCode, beyond.headers["content-range"]]).toEqual([416, `bytes */${rawPayload.length}`]);
  expect(String(beyond.headers["cache-control"])).not.toContain("immutable");
});

test("a photo uploaded by GraphQL is shown, and its upload, other names and folders are not", async () => {
  const { body } = await blog.gqlUpload(
    {
      query: "mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { profilePhoto { url } } }",
      variables: { image: null },
      file: await makePicture("jpeg", 1_200, 800),
      path: "variables.image",
    },
    maya.token,
  );
  const { url } = body.data.uploadProfilePhoto.profilePhoto;
  expect((await get(url)).statusCode).toBe(200);
  const home = pathOf(url).replace("picture.jpg", "");
  const [, , shard, id = ""] = home.split("/");
  for (const path of [".upload", "%2eupload", ".upload-", "page.html", "", "480.webp/..", "../../.folder-id"])
    expect((await blog.app.inject(home + path)).statusCode, path).toBe(404);
  expect((await blog.app.inject(`/media/${shard === "00" ? "01" : "00"}/${id}/picture.jpg`)).statusCode).toBe(
    404,
  );
});

test("jobs make the wide and the AVIF files, and a link preview its card", async () => {
  const { body } = await publish();
  const [id, { url }] = [body.image.publicId, body.image];
  while (await completePicture(blog.services));
  while (await addAvif(blog.services));
  expect((await stores.files.namesOf(id)).sort()).toEqual(
    [
      ...[160, 480, 720, 960].flatMap((each) => [`${each}.avif`, `${each}.webp`]),
      "1200.webp",
      "picture.jpg",
    ].sort(),
  );
  const avif = await get(url.replace("picture.jpg", "480.avif"));
  expect([avif.statusCode, avif.headers["content-type"]]).toEqual([200, "image/avif"]);
  const card = url.replace("picture.jpg", "card.jpg");
  expect((await get(card, {}, "HEAD")).statusCode).toBe(200);
  expect((await get(card)).headers["content-type"]).toBe("image/jpeg");
  const unknown = randomUUID();
  expect((await get(`http://blog.test/media/${unknown.slice(0, 2)}/${unknown}/card.jpg`)).statusCode).toBe(
    404,
  );
});

test("a public address is in answers, while texts and cards keep the site's", async () => {
  const { body } = await publish();
  urls.public = PUBLIC;
  const read = `{ post(id: "${body._id}") { cardUrl image { url srcset } } }`;
  const { image, cardUrl } = (await blog.gql(read)).body.data.post;
  expect(image.url).toBe(body.image.url.replace("http://blog.test/media", PUBLIC));
  expect(image.srcset).toContain(`${PUBLIC}/`);
  const page = await blog.app.inject(`/posts/details/${body._id}`);
  expect(page.body).toContain(`${PUBLIC}/`);
  expect(page.headers["content-security-policy"]).toContain(
    "img-src 'self' data: blob: http://blog.test https://cdn.example.org;",
  );
  expect((await blog.app.inject("/feed.json")).body).toContain(image.url);
  expect(image.srcset).not.toContain("blog.test");
  expect(cardUrl).toMatch(/^http:\/\/blog\.test\/media\//);
  expect(media.pathOf(body.image.publicId, "picture.jpg")).toBe(pathOf(body.image.url));
  urls.public = undefined;
});

test.each([
  { "if-none-match": '"a", "b",  W/"c"' },
  { "if-none-match": "*" },
  { "if-none-match": '"a\tb"' },
  { "if-none-match": '"\u00e9"' },
  { "if-modified-since": "Sat, 13 Sep 275760 00:00:00 GMT" },
  { "if-modified-since": "Fri, 01 Jan -0001 00:00:00 GMT" },
  { range: "bytes=5-2" },
  { range: `bytes=${"9".repeat(30)}-` },
  { range: "bytes=-0" },
] as Record<string, string>[])("a picture is sent in spite of %j, also to others", async (headers) => {
  const { url } = (await publish()).body.image;
  expect([200, 206, 416]).toContain((await get(url, headers)).statusCode);
  expect((await get(url)).statusCode).toBe(200);
});

test("a picture is sent in spite of a tag of 9 000 characters, also to others", async () => {
  const { url } = (await publish()).body.image;
  expect((await get(url, { "if-none-match": `"${"a".repeat(9_000)}"` })).statusCode).toBe(200);
  expect((await get(url)).statusCode).toBe(200);
});

test("a refusal by the bucket fails one request", async () => {
  const { url } = (await publish()).body.image;
  const { server: http } = server;
  const [listener] = http.listeners("request") as [
    (request: IncomingMessage, response: ServerResponse) => void,
  ];
  http.removeListener("request", listener);
  http.once("request", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(403, { "content-type": "application/xml" });
    response.end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    http.on("request", listener);
  });
  expect((await get(url)).statusCode).toBe(503);
  expect((await get(url)).statusCode).toBe(200);
});

test("while the bucket is away, pictures get 503 with a time to wait, and nothing else suffers", async () => {
  const { body } = await publish();
  const cut = ({ socket }: IncomingMessage) => void socket.destroy();
  server.server.prependListener("request", cut);
  // B53-3: the clock is set back afterwards.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 600_000);
  expect((await get(body.image.url)).statusCode).toBe(503);
  clock.mockRestore();
  const since = performance.now();
  for (const response of [await get(body.image.url), await publish()]) {
    const status = "status" in response ? response.status : response.statusCode;
    expect([status, response.headers["retry-after"]]).toEqual([503, "5"]);
    expect(String(response.headers["cache-control"])).not.toContain("immutable");
    const text = "text" in response ? response.text : response.body;
    expect(text).toContain("the pictures are not available, please try again shortly");
    expect(text).not.toMatch(/127\.0\.0\.1|S3RVER|bucket/i);
  }
  expect(performance.now() - since).toBeLessThan(10_000);
  expect((await blog.rest("GET", `/posts/${body._id}`)).status).toBe(200);
  await expect(completePicture(blog.services)).rejects.toThrow("not available");
  server.server.off("request", cut);
  await expect.poll(async () => (await get(body.image.url)).statusCode, { timeout: 5_000 }).toBe(200);
  expect(await completePicture(blog.services)).toBe(true);
});

test("clients that do not read their picture hold no permit, nor leave an error when they go", async () => {
  const { url } = (await publish()).body.image;
  const path = pathOf(url);
  const [, , , id = "", name = ""] = path.split("/");
  await stores.files.add(id, name, Buffer.alloc(8 * 1024 * 1024, 1));
  const port = await portOf();
  const before = lines.length;
  const sockets = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: blog.test\r\n\r\n`);
    await new Promise((done) => socket.once("readable", done));
  }
  await expect.poll(() => bulkheadCounts.pictures.running).toBe(0);
  expect(sockets.every(({ readyState }) => readyState === "open")).toBe(true);
  for (const socket of sockets) socket.destroy();
  expect((await get(url)).statusCode).toBe(200);
  await setTimeout(200);
  expect(lines.slice(before).filter(({ level }) => level >= 50)).toEqual([]);
});

test("a client that goes away frees its connection to the bucket", async () => {
  const { body } = await publish();
  const port = await portOf();
  for (let n = 0; n < 100; n++) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${pathOf(body.image.url)} HTTP/1.1\r\nHost: blog.test\r\n\r\n`);
    if (n % 2) await new Promise((done) => socket.once("data", done));
    socket.destroy();
  }
  await expect.poll(async () => (await get(body.image.url)).statusCode, { timeout: 5_000 }).toBe(200);
});

test("R36A A1: a network that has loaded more than its share waits for each picture, and no other does", async () => {
  const { body } = await publish();
  const { atOnce, share } = PICTURE_BUDGET;
  chargePictureBytes("198.51.100.7", atOnce + 500 * share);
  const load = async (remoteAddress: string) => {
    const began = performance.now();
    const { statusCode } = await blog.app.inject({ url: pathOf(body.image.url), remoteAddress });
    expect(statusCode).toBe(200);
    return performance.now() - began;
  };
  const [own = 0, other = 0] = await Promise.all([load("198.51.100.7"), load("198.51.100.8")]);
  expect(own).toBeGreaterThan(300);
  expect(other).toBeLessThan(own);
});
