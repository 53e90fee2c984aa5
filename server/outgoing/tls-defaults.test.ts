import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import tls from "node:tls";
import { expect, test } from "vitest";
import { afterFile } from "../testing/cleanup.ts";
import "./tls-defaults.ts";

/** Reads the numbers of a list whose length is in front of it, in two bytes. */
const listAt = (bytes: Buffer, at: number) =>
  Array.from({ length: bytes.readUInt16BE(at) / 2 }, (_, n) => bytes.readUInt16BE(at + 2 + 2 * n));

/** The cipher suites and groups that a ClientHello offers. */
function parseHello(hello: Buffer) {
  const record = 5;
  let at = record + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  const ciphers = listAt(hello, at);
  at += 2 + 2 * ciphers.length;
  at += 1 + hello.readUInt8(at) + 2;
  while (hello.readUInt16BE(at) !== SUPPORTED_GROUPS) at += 4 + hello.readUInt16BE(at + 2);
  return { ciphers, groups: listAt(hello, at + 4) };
}
const SUPPORTED_GROUPS = 10;

// R35B O2: a handshake with a finite field of 9 920 bits held the event loop for a second.
test("connections offer no key exchange by a finite field", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  afterFile(async () => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = tls.connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
  const [socket] = (await once(server, "connection")) as [Socket];
  const [hello] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  const { ciphers, groups } = parseHello(hello);
  const finite = [0x0033, 0x0039, 0x0067, 0x006b, 0x009e, 0x009f, 0xccaa];
  expect(ciphers.length).toBeGreaterThan(5);
  expect(ciphers.filter((each) => finite.includes(each))).toEqual([]);
  expect(groups.sort()).toEqual([0x0017, 0x0018, 0x001d]);
});
