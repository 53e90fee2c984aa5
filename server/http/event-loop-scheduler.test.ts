import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { takeTurns } from "./event-loop-scheduler.ts";

const CROWD = 150;

test("a crowd that comes at once is let in before its calls begin, so that nobody waits outside for them", async () => {
  let [inside, begun, begunBefore] = [0, 0, 0];
  const server = createServer();
  const turns = takeTurns(server);
  server.on("connection", () => {
    inside++;
    begunBefore = begun;
  });
  server.on("request", (_request, response) =>
    turns.begin(() => {
      begun++;
      for (const end = performance.now() + 5; performance.now() < end;);
      response.end();
    }),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", CROWD, listening));
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: CROWD }, () =>
    connect(port, "127.0.0.1", function (this: { write: (words: string) => void }) {
      this.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(CROWD);
  expect(inside).toBe(CROWD);
  expect(begunBefore).toBeLessThan(CROWD / 5);
});

test("each line has its turn: what is quickly done, one heavy work, some calls", async () => {
  const turns = takeTurns(createServer());
  const order: string[] = [];
  for (let n = 0; n < 3; n++) {
    turns.begin(() => void order.push("call"));
    turns.refuse(() => void order.push("refusal"));
    void turns.next().then(() => order.push("work"));
  }
  expect(turns.waiting()).toBe(3);
  await expect.poll(() => order.length).toBe(9);
  expect(order.slice(0, 5)).toEqual(["refusal", "refusal", "refusal", "work", "call"]);
  expect(turns.waiting()).toBe(0);
});
