import { createServer, type AddressInfo } from "node:net";

/** @returns a free TCP port of 127.0.0.1; another process may take it before its use */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once("error", fail).listen(0, "127.0.0.1", done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
