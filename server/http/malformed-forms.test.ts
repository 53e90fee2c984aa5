import { connect, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { bulkheadCounts } from "../queue.ts";
import { startTestApp } from "../testing/app.ts";

const blog = await startTestApp();
await blog.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = blog.app.server.address() as AddressInfo;

const heads = {
  "without a head": "",
  "that is an attachment": "Content-Disposition: attachment\r\n",
  "with a line break in its name": 'Content-Disposition: form-data; name="a\nb"\r\n',
};
const attacks = Object.entries(heads).flatMap(([kind, head]) =>
  [20_000, 60_000, 200_000].flatMap((length) =>
    ["/api/posts", "/graphql"].map((path) => ({ kind, head, length, path })),
  ),
);

test("R37A A1: forms with a part that the parser skips and never ends are refused, and free their permits", async () => {
  const requests = attacks.map(async ({ kind, head, length, path }) => {
    const { token } = await blog.signUp();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: {
        "content-type": "multipart/form-data; boundary=X",
        "apollo-require-preflight": "1",
        authorization: `Bearer ${token}`,
      },
      body: `--X\r\n${head}\r\n${"a".repeat(length)}\r\n--X--\r\n${"e".repeat(length > 60_000 ? 400_000 : 0)}`,
      signal: AbortSignal.timeout(25_000),
    });
    return `${response.status} ${kind}, ${length}, ${path}`;
  });
  const expected = attacks.map(({ kind, length, path }) => `400 ${kind}, ${length}, ${path}`);
  expect(await Promise.all(requests)).toEqual(expected);
  expect(bulkheadCounts.uploads).toEqual({ running: 0, waiting: 0 });
});

test("H2-1: a form with such a part after a large file, whose client leaves, frees its permit", async () => {
  const { token } = await blog.signUp();
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  const head = `POST /api/posts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=X\r\nContent-Length: 11000000\r\n\r\n`;
  const file = '--X\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
  client.write(head + file + "b".repeat(9_000_000));
  client.write(`\r\n--X\r\n\r\n${"a".repeat(20_000)}\r\n--X--\r\n${"e".repeat(400_000)}`);
  await expect.poll(() => bulkheadCounts.uploads.running).toBe(1);
  client.destroySoon();
  await expect.poll(() => bulkheadCounts.uploads.running, { timeout: 15_000 }).toBe(0);
});
