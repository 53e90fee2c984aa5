import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterFile } from "./cleanup.ts";

/** A proxy to PostgreSQL that simulates failures of networks and servers. @param map changes what clients send */
export async function startTcpProxy(targetUrl: string, map = (chunk: Buffer) => chunk) {
  const { hostname, port } = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let state: "works" | "refuses" | "hangs" = "works";
  const server = createServer((client) => {
    client.on("error", () => undefined).on("close", () => sockets.delete(client));
    sockets.add(client);
    if (state === "refuses") return void client.destroy();
    const upstream = connect(Number(port), hostname);
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    // While hanging, input is read and dropped.
    client.on("data", (chunk) => state === "works" && upstream.write(map(chunk)));
    upstream.on("data", (chunk) => state === "works" && client.write(chunk));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  afterFile(async () => {
    cut();
    await new Promise((closed) => server.close(closed));
  });
  const { port: ours } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(targetUrl), { hostname: "127.0.0.1", port: String(ours) }).href,
    /** Closes every connection. */
    cut,
    /** Closes every connection and refuses new ones. */
    refuse: () => {
      state = "refuses";
      cut();
    },
    hang: () => void (state = "hangs"),
    /** Works again. Connections that hung have lost data and are closed. */
    work: () => {
      state = "works";
      cut();
    },
  };
}
