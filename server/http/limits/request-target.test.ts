import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
});

function send(line: string): Promise<string> {
  const socket = connect((blog.app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.each(["http://other.test/api/categories?x=1", "HTTPS://other.test/login", "http://other.test"])(
  "the absolute form %s leads to its path",
  async (target) => expect(await send(`GET ${target}`)).toMatch(/^HTTP\/1.1 200 /),
);

test.each(["*", "nothing", "ftp://other.test/", "http://[/"])(
  "the target %s is refused as an error of the client",
  async (target) => {
    const response = await send(`OPTIONS ${target}`);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).toContain('"code":"BAD_USER_INPUT"');
  },
);

const sendRaw = (requests: string): Promise<string> => {
  const socket = connect((blog.app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined).write(requests);
  return text(socket).catch(() => "");
};

test.each([
  ["without Host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["with an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n", 417],
])("A1: a request %s is refused once, however many follow in its packet", async (_name, request, status) => {
  const one = await sendRaw(request);
  expect(one).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(one).toContain('"code":"BAD_USER_INPUT"');
  const response = await sendRaw(request.repeat(Math.floor(65_000 / request.length)));
  expect(response.split("HTTP/1.1 ").length - 1).toBeLessThanOrEqual(1);
});

test("HTTP/1.0 needs no Host and knows no expectations", async () => {
  expect(await sendRaw("GET /api/categories HTTP/1.0\r\nExpect: x\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
});

test("R26A: a long Accept header is ignored, since its types are compared one by one", async () => {
  const statusOf = async (accept: string) =>
    (
      await blog.app.inject({
        url: "/graphql?query={__typename}",
        headers: { accept, "apollo-require-preflight": "1" },
      })
    ).statusCode;
  expect([await statusOf("image/png"), await statusOf("image/png,".repeat(300))]).toEqual([406, 200]);
});
