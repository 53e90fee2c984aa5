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
