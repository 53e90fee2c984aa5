import { open, sleep } from "./target.ts";

export const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** The ways in which a client leaves, by name. */
export const abortedConnections = (port: number): Record<string, (path: string) => Promise<void>> => ({
  "cut before": async (path) => void open(port, get(path).slice(0, 9)).destroy(),
  "cut during": async (path) => {
    const socket = open(port, get(path));
    await sleep(Math.random() * 10);
    socket.destroy();
  },
  reset: async (path) => {
    const socket = open(port, get(path));
    await sleep(Math.random() * 10);
    socket.resetAndDestroy();
  },
  "half-closed": async (path) => {
    const socket = open(port);
    socket.end(get(path));
    await sleep(30);
    socket.destroy();
  },
  pipelined: async (path) => {
    const socket = open(port, get(path).repeat(20));
    await sleep(Math.random() * 20);
    socket.destroy();
  },
  "with a body that never comes": async () => {
    const head =
      "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{";
    const socket = open(port, head);
    await sleep(Math.random() * 20);
    socket.destroy();
  },
});
