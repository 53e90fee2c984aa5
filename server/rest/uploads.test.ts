import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect, type AddressInfo, type Socket } from "node:net";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { completePicture } from "../domain/pictures.ts";
import { acquireUploadPermit } from "../http/limits/upload-permits.ts";
import { UPLOADS } from "../limits.ts";
import { bulkheadCounts, countWaiting } from "../queue.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { encodeForm, type FormPart } from "../testing/forms.ts";
import { makePicture } from "../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let before: string[];
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createCategory(blog.db, "Craft");
});
beforeEach(() => {
  before = keptFiles();
});

const keptFiles = () =>
  readdirSync(blog.mediaFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((file) => `${file.parentPath}/${file.name}`);

const fields = [
  { name: "title", value: "On slate" },
  { name: "description", value: "It splits where it was laid down." },
  { name: "category", value: "Craft" },
];
const file = (value: Buffer | string, filename = "picture.jpg"): FormPart => ({
  name: "image",
  value,
  filename,
});
const send = (...parts: FormPart[]) => blog.restForm("POST", "/posts", maya.token, [...parts, ...fields]);

async function expectRefusal(response: ReturnType<typeof send>, status: number, message: string) {
  const { body, ...head } = await response;
  expect([head.status, body.message]).toEqual([status, message]);
  expect(Object.keys(body)).toContain("code");
  expect(keptFiles()).toEqual(before);
  expect(await blog.db.picture.count()).toBe(await blog.db.post.count());
}

test.each(["jpeg", "png", "webp", "gif", "avif"] as const)(
  "a picture as %s is accepted, whatever its name and declared type",
  async (format) => {
    const { status, body } = await send(file(await makePicture(format), "notes.txt"));
    expect(status).toBe(201);
    while (await completePicture(blog.services));
    for (const name of ["picture.jpg", "480.webp", "640.webp"]) {
      const { pathname } = new URL(body.image.url.replace("picture.jpg", name));
      const { statusCode, headers } = await blog.app.inject({ url: pathname });
      expect([statusCode, headers["content-type"]]).toEqual([
        200,
        `image/${name.endsWith("jpg") ? "jpeg" : "webp"}`,
      ]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toContain("sandbox");
    }
  },
);

test.each([
  ["a text", "Not a picture, whatever it is called."],
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
  ["an SVG behind a declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a page", "<!doctype html><title>GIF89a</title>"],
  ["a PDF", "%PDF-1.7\n1 0 obj\n<<>>\nendobj"],
  ["a TIFF", Buffer.from("49492a00080000000000", "hex")],
  ["the beginning of a HEIC", Buffer.from("00000018667479706865696300000000686569636d696631", "hex")],
  ["the beginning of a PNG", Buffer.from("89504e470d0a1a0a", "hex")],
  ["half a JPEG", picture.subarray(0, 400)],
])("%s is refused as a picture", async (_name, bytes) => {
  await expectRefusal(send(file(bytes)), 415, "Unsupported file format");
});

describe("a form", () => {
  test("without a picture, with an empty one or with text as picture is refused", async () => {
    for (const parts of [[], [file("")], [{ name: "image", value: "picture.jpg" }]])
      await expectRefusal(send(...parts), 400, "no image provided");
    const post = await createPost(blog.db, { userId: maya.id });
    for (const path of ["/posts", `/posts/update-image/${post.id}`])
      for (const body of [undefined, {}, null])
        await expectRefusal(
          blog.rest(path === "/posts" ? "POST" : "PUT", path, maya.token, body),
          ...([400, "no image provided"] as const),
        );
  });

  test("with the picture in another field is refused", async () => {
    await expectRefusal(send({ ...file(picture), name: "photo" }), 400, '"photo" is not allowed');
  });

  test("with two pictures is refused", async () => {
    await expectRefusal(send(file(picture), file(picture)), 400, "only one file is allowed");
  });

  test("with an unknown or repeated field is refused", async () => {
    await expectRefusal(
      send(file(picture), { name: "isAdmin", value: "1" }),
      400,
      '"isAdmin" is not allowed',
    );
    await expectRefusal(send(file(picture), fields[0]!), 400, '"title" is given twice');
  });

  test("may have fields of type application/json", async () => {
    const post = {
      ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
      tags: ["stone", "slate"],
    };
    const json = Object.entries(post).map(([name, value]) => ({
      name,
      value: JSON.stringify(value),
      type: "application/json",
    }));
    const { status, body } = await blog.restForm("POST", "/posts", maya.token, [file(picture), ...json]);
    expect([status, body.title, body.tags]).toEqual([201, "On slate", ["stone", "slate"]]);
  });

  test("R30B U1: whose JSON has too many values, or whose fields are too long together, is refused, and not parsed", async () => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const refused = (parts: FormPart[], message: string) =>
      expectRefusal(blog.restForm("POST", "/posts", maya.token, parts), 400, message);
    const many = (type: string, value: string) =>
      Array.from({ length: 20 }, (_, n) => ({ name: `field ${n}`, value, type }));
    const nested = "[".repeat(190_000) + "]".repeat(190_000);
    await refused(many("application/json", nested), '"field 0" has too many values');
    await refused(many("Application/JSON; charset=utf-8", nested), '"field 0" has too many values');
    await refused(many("application/json", `"${"x".repeat(30_000)}"`), "the fields are too long");
    await refused(many("text/plain", "x".repeat(30_000)), "the fields are too long");
    await refused(many("application/json", `"${"x".repeat(410_000)}"`), '"field 0" is too long');
    await refused([{ name: "title", value: "{", type: "application/json" }], '"title" is not valid JSON');
    const short = Array.from({ length: 25 }, (_, n) => ({
      name: `field ${n}`,
      value: "1",
      type: "application/json",
    }));
    await refused(short, "too many fields");
    expect(parse.mock.calls.filter(([text]) => text.startsWith("[[[["))).toEqual([]);
  });

  test("with an unknown category is refused before the picture is stored", async () => {
    const form = [file(picture), ...fields.slice(0, 2), { name: "category", value: "Nowhere" }];
    const message = '"category" must be an existing category';
    await expectRefusal(blog.restForm("POST", "/posts", maya.token, form), 400, message);
  });

  test("with several invalid fields returns the first message, and all by field", async () => {
    const form = [file(picture), { name: "title", value: "x" }, { name: "description", value: "short" }];
    const { status, body } = await blog.restForm("POST", "/posts", maya.token, form);
    const message = '"title" length must be at least 2 characters long';
    expect([status, body.message]).toEqual([400, message]);
    expect(body.fields).toEqual({
      ...{ title: message, description: '"description" length must be at least 10 characters long' },
      category: '"category" is required',
    });
    expect(keptFiles()).toEqual(before);
  });
});

test("a file of 10 MiB is checked by its content, one byte more is too large", async () => {
  const limit = 10 * 1024 * 1024;
  await expectRefusal(send(file(Buffer.alloc(limit))), 415, "Unsupported file format");
  await expectRefusal(send(file(Buffer.alloc(limit + 1))), 413, "File too large");
});

test("a forbidden upload is refused before it is read", async () => {
  const post = await createPost(blog.db, { userId: maya.id });
  const other = await blog.signUp();
  const form = [file("not a picture"), file("a second one")];
  const path = `/posts/update-image/${post.id}`;
  await expectRefusal(blog.restForm("POST", "/posts", null, form), 401, "no token provided, access denied");
  await expectRefusal(blog.restForm("PUT", path, "stale", form), 401, "invalid token, access denied");
  await expectRefusal(
    blog.restForm("PUT", path, other.token, form),
    403,
    "access denied, you are not allowed",
  );
  const missing = path.replace(post.id, "00000000-0000-0000-0000-000000000000");
  await expectRefusal(blog.restForm("PUT", missing, maya.token, form), 404, "post not found");
});

test("an aborted upload leaves nothing, and the next one succeeds", async () => {
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = blog.app.server.address() as AddressInfo;
  const boundary = '--cut\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.concat([Buffer.from(boundary), picture])),
    pull: () => new Promise(() => undefined),
  });
  const sending = fetch(`http://127.0.0.1:${port}/api/posts`, {
    ...{ method: "POST", body, signal: AbortSignal.timeout(300), duplex: "half" },
    headers: { authorization: `Bearer ${maya.token}`, "content-type": "multipart/form-data; boundary=cut" },
  } as RequestInit);
  await expect(sending).rejects.toThrow();
  expect(keptFiles()).toEqual(before);
  expect((await send(file(picture))).status).toBe(201);
});

test("a small form whose client left while it waited for a permit frees its own", async () => {
  const uploader = { account: maya.id, origin: "203.0.113.9" };
  const enterAll = () =>
    Promise.all(Array.from({ length: UPLOADS.perAccount }, () => acquireUploadPermit(uploader)));
  const held = await enterAll();
  const { port } = blog.app.server.address() as AddressInfo;
  const form = encodeForm([...fields, file("no picture")]);
  const connected = once(blog.app.server, "connection") as Promise<[Socket]>;
  const client = connect(port, "127.0.0.1");
  const head =
    `POST /api/posts HTTP/1.1\r\nhost: blog.test\r\nauthorization: Bearer ${maya.token}\r\n` +
    `content-type: ${form.headers["content-type"]}\r\ncontent-length: ${form.payload.length}\r\n\r\n`;
  client.write(Buffer.concat([Buffer.from(head), form.payload]));
  await expect.poll(() => countWaiting()).toBe(1);
  const [socket] = await connected;
  client.destroy();
  await expect.poll(() => socket.destroyed).toBe(true);
  held.forEach((release) => release());
  (await enterAll()).forEach((release) => release());
  expect(bulkheadCounts.uploads).toEqual({ running: 0, waiting: 0 });
});
