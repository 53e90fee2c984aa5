import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that operating systems give to outgoing connections, which might take one before its use. */
const [FIRST, LAST] = [20_000, 32_767];
const ATTEMPTS = 100;

/** @returns a free TCP port of 127.0.0.1; another program may take it before its use */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${LAST} is free`);
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
