import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterFile } from "./cleanup.ts";

/** A line to a PostgreSQL that can be taken away in the ways networks and servers do. */
export async function startTcpProxy(targetUrl: string) {
  const { hostname, port } = new URL(targetUrl);
  const lines = new Set<Socket>();
  let state: "works" | "refuses" | "hangs" = "works";
  const server = createServer((near) => {
    near.on("error", () => undefined).on("close", () => lines.delete(near));
    lines.add(near);
    if (state === "refuses") return void near.destroy();
    const far = connect(Number(port), hostname);
    far.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    // What hangs takes everything in and never answers.
    near.on("data", (chunk) => state === "works" && far.write(chunk));
    far.on("data", (chunk) => state === "works" && near.write(chunk));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const cut = () => {
    for (const line of lines) line.destroy();
  };
  afterFile(async () => {
    cut();
    await new Promise((closed) => server.close(closed));
  });
  const { port: ours } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(targetUrl), { hostname: "127.0.0.1", port: String(ours) }).href,
    /** Ends every connection, in the midst of whatever it does. */
    cut,
    /** Ends every connection and lets nobody in. */
    refuse: () => {
      state = "refuses";
      cut();
    },
    hang: () => void (state = "hangs"),
    /** Works again; what hung before has lost its words and is cut. */
    work: () => {
      state = "works";
      cut();
    },
  };
}
