import { once } from "node:events";
import { connect, createServer } from "node:net";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { isAlive } from "../server/data/embedded/cluster.ts";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { makeDataDir, removeDataDir, spawnBlog, startBlog } from "./testing/blog.ts";

const folders: string[] = [];
const dataDir = async () => {
  const made = await makeDataDir();
  folders.push(made);
  return made;
};
afterAll(() => Promise.all(folders.map(removeDataDir)));

const admin = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery", DEMO: "off" };

async function call(url: string, path: string, init: RequestInit & { token?: string } = {}) {
  const { token, ...rest } = init;
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url + path, { headers, ...rest });
  return { status: response.status, body: (await response.json()) as any };
}

const login = async (url: string) => {
  const body = JSON.stringify({ email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD });
  return (await call(url, "/api/auth/login", { method: "POST", body })).body.token as string;
};

describe("an invalid configuration fails with one sentence and exit code 1", () => {
  const cases: [string, Record<string, string>, RegExp][] = [
    ["a port that is not a number", { PORT: "abc" }, /^PORT "abc" must be a port number/],
    ["a switch that is neither on nor off", { DEMO: "yes" }, /^DEMO "yes" must be on or off/],
    [
      "an admin without a password",
      { ADMIN_EMAIL: "a@example.com" },
      /^ADMIN_EMAIL and ADMIN_PASSWORD belong together/,
    ],
    [
      "a folder that cannot be written",
      { DATA_DIR: "/dev/null/blog" },
      /^DATA_DIR \/dev\/null\/blog cannot be written \(ENOTDIR\): give it to the user/,
    ],
    [
      "a log file that cannot be written",
      { LOG_FILE: "/dev/null/blog.log" },
      /^LOG_FILE \/dev\/null\/blog\.log cannot be written \(E[A-Z]+\)/,
    ],
    [
      "a direct URL without DATABASE_URL",
      { DATABASE_DIRECT_URL: "postgresql://u:secret@127.0.0.1:1/x" },
      /^DATABASE_DIRECT_URL is given, and DATABASE_URL is not/,
    ],
    [
      "an unreachable database",
      { DATABASE_URL: "postgresql://u:secret@127.0.0.1:1/x" },
      /^The database at 127\.0\.0\.1:1\/x cannot be used/,
    ],
  ];
  for (const [name, env, sentence] of cases)
    test(name, async () => {
      const { child, output } = spawnBlog(await findFreePort(), await dataDir(), env);
      const [code] = (await once(child, "exit")) as [number];
      expect(output().trim()).toMatch(sentence);
      expect(output().trim().split("\n")).toHaveLength(1);
      expect(output()).not.toContain("secret");
      expect(code).toBe(1);
    });

  test("a port in use", async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
    const { port } = taken.address() as { port: number };
    const { child, output } = spawnBlog(port, await dataDir());
    const [code] = (await once(child, "exit")) as [number];
    expect(output().trim()).toMatch(new RegExp(`^Port ${port} is taken`));
    expect(code).toBe(1);
    taken.close();
  });
});

describe("a blog on an embedded database", () => {
  test("keeps all acknowledged writes when killed, and restarts without repair", async () => {
    const home = await dataDir();
    const first = await startBlog({ dataDir: home, env: admin });
    const token = await login(first.url);
    const titles = Array.from({ length: 20 }, (_, n) => `Category ${n}`);
    for (const title of titles) {
      const { status } = await call(first.url, "/api/categories", {
        method: "POST",
        token,
        body: JSON.stringify({ title }),
      });
      expect(status).toBe(201);
    }
    first.process.kill("SIGKILL");
    await once(first.process, "exit");

    const second = await startBlog({ dataDir: home, env: admin });
    expect(second.output()).toContain("using the running PostgreSQL of an earlier start");
    const { body } = await call(second.url, "/api/categories");
    expect(body.map((category: any) => category.title)).toEqual(titles);
    expect(await second.stop()).toBe(0);
  });

  test("restarts after its database was killed as well", async () => {
    const home = await dataDir();
    const first = await startBlog({ dataDir: home, env: admin });
    const postmaster = Number((await readFile(join(home, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
    first.process.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
    await once(first.process, "exit");
    const second = await startBlog({ dataDir: home, env: admin });
    expect(await login(second.url)).toBeTruthy();
    expect(await second.stop()).toBe(0);
  });

  test("stops after two signals, and leaves no process behind", async () => {
    const home = await dataDir();
    const blog = await startBlog({ dataDir: home, env: admin });
    expect(Number(await readFile(join(home, "server.pid"), "utf8"))).toBe(blog.process.pid);
    const postmaster = Number((await readFile(join(home, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
    blog.process.kill("SIGINT");
    blog.process.kill("SIGINT");
    const [code] = (await once(blog.process, "exit")) as [number];
    expect(code).toBe(0);
    // It has no parent any more: the system may take a moment to remove it.
    await expect.poll(() => isAlive(postmaster)).toBe(false);
  });
});

test("without the database every request gets a 503 within five seconds, and the process keeps running", async () => {
  const home = await dataDir();
  const server = await openEmbeddedPostgres(home, () => {});
  const blog = await startBlog({ dataDir: await dataDir(), env: { ...admin, DATABASE_URL: server.url } });
  const postmaster = Number((await readFile(join(home, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
  process.kill(postmaster, "SIGINT");
  await expect.poll(() => fetch(`${blog.url}/ready`).then(({ status }) => status)).toBe(503);
  for (const path of ["/", "/api/posts/count", "/api/categories"]) {
    const started = Date.now();
    expect((await fetch(blog.url + path)).status, path).toBe(503);
    expect(Date.now() - started).toBeLessThan(5_000);
  }
  const query = JSON.stringify({ query: "{ postsCount }" });
  const { body } = await call(blog.url, "/graphql", { method: "POST", body: query });
  expect(body.errors[0].extensions.code).toBe("UNAVAILABLE");
  expect((await fetch(`${blog.url}/health`)).status).toBe(200);
  blog.process.kill("SIGKILL");
  await once(blog.process, "exit");
  await server.stop();
});

test("requests started before the signal finish, and then the process exits at once", async () => {
  const blog = await startBlog({ dataDir: await dataDir(), env: admin });
  const port = Number(new URL(blog.url).port);
  const socket = connect(port, "127.0.0.1");
  const response = text(socket);
  // Browsers open such connections in advance.
  const silent = connect(port, "127.0.0.1");
  const body = JSON.stringify({ email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD });
  const head = ["POST /api/auth/login HTTP/1.1", "Host: x", "Content-Type: application/json"];
  socket.write(`${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  await new Promise((done) => setTimeout(done, 300));
  blog.process.kill("SIGTERM");
  await new Promise((done) => setTimeout(done, 300));
  const started = Date.now();
  socket.write(body.slice(10));
  expect(await response).toMatch(/^HTTP\/1\.1 200 OK[^]*"token":/);
  const code = blog.process.exitCode ?? ((await once(blog.process, "exit")) as [number])[0];
  expect(code).toBe(0);
  expect(Date.now() - started).toBeLessThan(5_000);
  silent.destroy();
});

test("new connections are served for SHUTDOWN_DELAY after the signal, while /ready says no", async () => {
  const blog = await startBlog({ dataDir: await dataDir(), env: { ...admin, SHUTDOWN_DELAY: "2" } });
  const ended = once(blog.process, "exit");
  expect((await fetch(`${blog.url}/ready`)).status).toBe(200);
  blog.process.kill("SIGTERM");
  // The result of a readiness check is reused for half a second.
  await new Promise((done) => setTimeout(done, 1_000));
  expect((await fetch(`${blog.url}/ready`)).status).toBe(503);
  const login = { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD };
  const response = await fetch(`${blog.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(login),
  });
  expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
  expect(await ended).toEqual([0, null]);
});
