import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { afterFile } from "../../testing/cleanup.ts";
import { httpWorkerFile } from "../../testing/http-worker.ts";
import { openBucket } from "./bucket.ts";

const expiry = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const answerOf = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const keyFor = (seconds: number) =>
  answerOf(
    JSON.stringify({ AccessKeyId: "a", SecretAccessKey: "b", Token: "c", Expiration: expiry(seconds) }),
  );
const roleKey = () =>
  answerOf(
    `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser><Credentials><AccessKeyId>a</AccessKeyId><SecretAccessKey>b</SecretAccessKey><SessionToken>c</SessionToken><Expiration>${expiry(3_600)}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
  );

/** Writes until the client closes the connection. */
function flood(socket: Socket, head: string, part: Buffer): void {
  socket.write(head);
  const write = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on("drain", write);
  write();
}

function drip(socket: Socket): void {
  socket.write(CHUNKED);
  const timer = setInterval(() => socket.write("1\r\na\r\n"), 200);
  socket.on("close", () => clearInterval(timer));
}

const tiny = Buffer.from("1\r\na\r\n".repeat(20_000));
const early = Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(4_000));
const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

const good = (socket: Socket): void => void socket.write(keyFor(3_600));
let answer = good;
let sent = 0;
/** The service of the key below /key, and a bucket without objects everywhere else. */
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("close", () => (sent += socket.bytesWritten));
  socket.on("data", (request) =>
    request.includes("/key") || request.includes("AssumeRole")
      ? answer(socket)
      : socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"),
  );
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterFile(async () => void server.close());
const { port } = server.address() as AddressInfo;
process.env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = `http://127.0.0.1:${port}/key`;
afterFile(async () => void delete process.env["AWS_CONTAINER_CREDENTIALS_FULL_URI"]);

beforeEach(() => {
  answer = good;
  sent = 0;
});

async function open() {
  const endpoint = `http://127.0.0.1:${port}`;
  const bucket = await openBucket({ bucket: "pictures", endpoint, region: "x", httpWorkerFile });
  afterFile(async () => bucket.close());
  return () => bucket.read("ab345678-1234-4234-8234-123456789012", "picture.jpg");
}

test("a role's key is asked for once", async () => {
  const read = await open();
  let asked = 0;
  answer = (socket) => {
    asked++;
    good(socket);
  };
  for (let time = 0; time < 3; time++) await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
  expect(asked).toBe(1);
});

test.each<[string, (socket: Socket) => void]>([
  ["without an end", (socket) => flood(socket, "HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(1 << 20, "a"))],
  ["in chunks of a byte", (socket) => flood(socket, CHUNKED, tiny)],
  ["after endless early hints", (socket) => flood(socket, "", early)],
  ["that does not come", () => {}],
  ["a byte at a time", drip],
  ["that is cut", (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx")],
])("R38B C1, H1: a key %s fails, and the next one is used", { timeout: 40_000 }, async (_, send) => {
  const read = await open();
  answer = send;
  const began = performance.now();
  await expect(read()).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(sent).toBeLessThan(200_000_000);
  answer = good;
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});

test(
  "R38B C1: a renewal without an end is cut, while the present key is used",
  { timeout: 20_000 },
  async () => {
    const read = await open();
    answer = (socket) => void socket.write(keyFor(200));
    await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
    let renewals = 0;
    answer = (socket) => {
      renewals++;
      flood(socket, "HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(1 << 20, "a"));
    };
    await vi.waitUntil(
      async () => {
        await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
        return renewals >= 2;
      },
      { timeout: 15_000, interval: 200 },
    );
    await vi.waitUntil(() => sent > 0, { timeout: 5_000 });
    expect(sent).toBeLessThan(200_000_000);
  },
);

test(
  "R38B H1: a key by STS that does not come fails, and the next one is used",
  { timeout: 20_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "blog-token-"));
    await writeFile(join(folder, "token"), "token");
    const variables = {
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "token"),
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/r",
      AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${port}`,
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    try {
      const read = await open();
      answer = drip;
      await expect(read()).rejects.toThrow();
      answer = (socket) => void socket.write(roleKey());
      await vi.waitUntil(
        async () => (await read().catch((error: NodeJS.ErrnoException) => error.code)) === "ENOENT",
        { timeout: 10_000, interval: 300 },
      );
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  },
);
