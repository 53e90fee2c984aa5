import { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createScheduler } from "./event-loop-scheduler.ts";

const CONNECTIONS = 150;

test("simultaneous connections are accepted before their requests begin", async () => {
  let [accepted, begun, begunBefore] = [0, 0, 0];
  const server = createServer();
  const scheduler = createScheduler(server);
  server.on("connection", () => {
    accepted++;
    begunBefore = begun;
  });
  server.on("request", (_request, response) =>
    scheduler.begin(() => {
      begun++;
      for (const end = performance.now() + 5; performance.now() < end;);
      response.end();
    }),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", CONNECTIONS, listening));
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    connect(port, "127.0.0.1", function (this: { write: (words: string) => void }) {
      this.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(CONNECTIONS);
  expect(accepted).toBe(CONNECTIONS);
  expect(begunBefore).toBeLessThan(CONNECTIONS / 5);
});

test("steady new connections delay work by some milliseconds only", async () => {
  const server = new EventEmitter();
  const { begin } = createScheduler(server as Server);
  let isSteady = true;
  const connectAgain = () => void (isSteady && (server.emit("connection"), setImmediate(connectAgain)));
  connectAgain();
  const began = performance.now();
  for (let n = 0; n < 10; n++) await new Promise<void>((done) => begin(done));
  isSteady = false;
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("each iteration runs refusals, one heavy task and some requests", async () => {
  const scheduler = createScheduler(createServer());
  const order: string[] = [];
  for (let n = 0; n < 3; n++) {
    scheduler.begin(() => void order.push("call"));
    scheduler.quick(() => void order.push("refusal"));
    void scheduler.next().then(() => order.push("work"));
  }
  expect(scheduler.waiting()).toBe(3);
  await expect.poll(() => order.length).toBe(9);
  expect(order.slice(0, 5)).toEqual(["refusal", "refusal", "refusal", "work", "call"]);
  expect(scheduler.waiting()).toBe(0);
});

test("the heavy tasks of many networks run in few iterations, those of one network in one each", async () => {
  const { next } = createScheduler(createServer());
  const count = async (networks: number) => {
    let iterations = 0;
    let isCounting = true;
    const countOn = () => void (isCounting && (iterations++, setImmediate(countOn)));
    setImmediate(countOn);
    await Promise.all(Array.from({ length: 30 }, (_, n) => next(String(n % networks))));
    isCounting = false;
    return iterations;
  };
  expect(await count(1)).toBeGreaterThanOrEqual(29);
  expect(await count(30)).toBeLessThan(12);
});

test("R27A: heavy work leaves as much time to requests that have begun as it took", async () => {
  const { next, begin } = createScheduler(createServer());
  const hold = (milliseconds: number) => {
    for (const end = performance.now() + milliseconds; performance.now() < end;);
    return performance.now();
  };
  const tasks = [1, 2, 3].map(() => next("a").then(() => [performance.now(), hold(40)] as const));
  const steps = 20;
  await next("b");
  for (let step = 0; step < steps; step++) await new Promise<void>((done) => begin(() => setImmediate(done)));
  const times = await Promise.all(tasks);
  for (const [began] of times.slice(1)) {
    const before = Math.max(...times.map(([, ended]) => ended).filter((ended) => ended <= began));
    expect(began - before).toBeGreaterThan(28);
  }
});

test("a request does not wait for the end of such a pause", async () => {
  const { next, begin } = createScheduler(createServer());
  const order: string[] = [];
  for (let n = 0; n < 2; n++)
    void next("a").then(() => {
      for (const end = performance.now() + 300; performance.now() < end;);
      order.push("task");
    });
  await expect.poll(() => order, { interval: 5 }).toEqual(["task"]);
  await new Promise<void>((done) => begin(done));
  expect(order).toEqual(["task"]);
  await expect.poll(() => order).toEqual(["task", "task"]);
});

test("R29A: heavy work of other networks waits half as long as the network of a long task", async () => {
  const { next } = createScheduler(createServer());
  const order: string[] = [];
  const run = (network: string, milliseconds: number) =>
    next(network).then(() => {
      for (const end = performance.now() + milliseconds; performance.now() < end;);
      order.push(network);
      return performance.now();
    });
  const [ended] = await Promise.all([
    run("long", 210),
    run("long", 0),
    ...Array.from({ length: 3 }, () => run("other", 0)),
  ]);
  expect(order).toEqual(["long", "other", "other", "other", "long"]);
  expect(performance.now() - ended).toBeGreaterThan(380);
});

test("a network waits for one request of each other, not for all of them", async () => {
  const scheduler = createScheduler(createServer());
  const order: string[] = [];
  const begin = (network: string) => scheduler.begin(() => void order.push(network), network);
  for (let n = 0; n < 50; n++) begin("a");
  for (const network of ["b", "b", "c"]) begin(network);
  expect([scheduler.waitingOf("a"), scheduler.waitingOf("d")]).toEqual([50, 0]);
  await expect.poll(() => order.length).toBe(53);
  expect(order.slice(0, 6)).toEqual(["a", "b", "c", "a", "b", "a"]);
});

test("R23A: monitoring goes first, in turns of networks, and leaves most of the time to requests", async () => {
  const scheduler = createScheduler(createServer());
  const order: string[] = [];
  const monitor = (network: string) =>
    scheduler.monitor(() => {
      for (const end = performance.now() + 0.2; performance.now() < end;);
      order.push(network);
    }, network);
  for (let n = 0; n < 2_000; n++) monitor("flood");
  scheduler.begin(() => void order.push("request"));
  monitor("probe");
  await expect.poll(() => order.includes("request")).toBe(true);
  expect(order.indexOf("probe")).toBe(1);
  expect(order.indexOf("request")).toBeLessThan(200);
});

test("A53-1: while connections arrive, statements of Prisma begin in each 25th iteration, and in turns of networks", async () => {
  const server = new EventEmitter();
  const { nextStatement } = createScheduler(server as Server);
  let [iterations, isOver] = [0, false];
  const connectAgain = () =>
    void (isOver || (iterations++, server.emit("connection"), setImmediate(connectAgain)));
  connectAgain();
  const begun: string[] = [];
  const begin = (network: string) => nextStatement(network).then(() => begun.push(network));
  const flood = Array.from({ length: 12 }, () => begin("a"));
  await begin("b");
  expect(begun.length).toBeLessThan(5);
  await Promise.all(flood);
  isOver = true;
  expect(iterations).toBeGreaterThanOrEqual(25);
});
