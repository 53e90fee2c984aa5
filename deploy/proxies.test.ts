import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import {
  ask,
  HOST,
  makeFolder,
  removeFolder,
  startNginx,
  startPostgres,
  startProgram,
  type Program,
} from "./testing/programs.ts";

const folder = makeFolder("proxies");
const logFile = join(folder, "blog.log");
const admin = { email: "owner@example.com", password: "correct horse battery" };
const POSTS = 5_000;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let blog: RunningBlog;
let token: string;
beforeAll(async () => {
  postgres = await startPostgres(folder);
  blog = await startBlog({
    dataDir: join(folder, "blog"),
    env: {
      ...{ DATABASE_URL: postgres.url, PUBLIC_URL: `https://${HOST}`, TRUST_PROXY: "1", DEMO: "on" },
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: "info", LOG_FILE: logFile },
    },
  });
  await addPosts();
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${HOST}`];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  expect(spawnSync("openssl", [...args, ...files]).status).toBe(0);
}, 120_000);
afterAll(async () => {
  await blog.stop();
  await postgres.stop();
  removeFolder(folder);
});

async function addPosts(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`
    WITH pictures AS (
      INSERT INTO "Picture" (id, width, height, widths, placeholder)
      SELECT gen_random_uuid(), 3, 2, '{3}', '' FROM generate_series(1, ${POSTS}) RETURNING id)
    INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "updatedAt")
    SELECT gen_random_uuid(), 'A post', repeat('Words that are read. ', 40), 'Craft',
           (SELECT id FROM "User" WHERE NOT "isAdmin" LIMIT 1), id, now() FROM pictures`);
  await client.end();
}

/** nginx and Caddy with the files of this folder; only names, ports and certificates are replaced. */
const proxies: Record<string, () => Promise<Program>> = {
  async nginx() {
    const [port, plain] = [await findFreePort(), await findFreePort()];
    const site = readFileSync("deploy/nginx/blog.conf", "utf8")
      .replaceAll("127.0.0.1:4000", `127.0.0.1:${new URL(blog.url).port}`)
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`)
      .replace(/^ *listen \[::\].*\n/gm, "")
      .replace(/\/etc\/letsencrypt\/live\/blog\.example\.org\/fullchain\.pem/, join(folder, "cert.pem"))
      .replace(/\/etc\/letsencrypt\/live\/blog\.example\.org\/privkey\.pem/, join(folder, "key.pem"));
    return startNginx(folder, site, port);
  },
  async caddy() {
    const port = await findFreePort();
    const site = readFileSync("deploy/caddy/Caddyfile", "utf8")
      .replaceAll("127.0.0.1:4000", `127.0.0.1:${new URL(blog.url).port}`)
      .replace(/^\{$/m, "{\nadmin off\nauto_https disable_redirects")
      .replace(
        /^blog\.example\.org \{/m,
        `https://${HOST}:${port} {\ntls ${join(folder, "cert.pem")} ${join(folder, "key.pem")}`,
      );
    const file = join(folder, "Caddyfile");
    writeFileSync(file, site);
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return startProgram("caddy", { args: ["run", "--config", file, "--adapter", "caddyfile"], port, env });
  },
};

const json = { "content-type": "application/json" };
const signIn = (port: number, account: object, more: object = {}) =>
  ask(port, "/api/auth/login", { method: "POST", headers: json, body: JSON.stringify(account), ...more });

function postForm(picture: Buffer): { body: Buffer; headers: Record<string, string> } {
  const boundary = "a-boundary-of-the-test";
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = { title: "A large picture", category: "Craft", description: "Taken with a good camera." };
  const head = Object.entries(fields).map(([name, value]) => field(name, value));
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  const parts = [...head, file].map((part) => Buffer.from(part));
  return {
    body: Buffer.concat([...parts, picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      authorization: `Bearer ${token}`,
    },
  };
}

describe.each(Object.keys(proxies))("behind %s with TLS", (name) => {
  let proxy: Program;
  beforeAll(async () => {
    proxy = await proxies[name]!();
    token = JSON.parse((await signIn(proxy.port, admin)).body).token;
  });
  afterAll(() => proxy.stop());

  test("row 1: the published demo logins do not work", async () => {
    for (const email of ["admin@example.com", "demo@example.com"]) {
      const { status } = await signIn(
        proxy.port,
        { email, password: "read-write-repeat" },
        { from: "127.0.0.9" },
      );
      expect(status, email).toBe(400);
    }
  });

  test("row 9: a picture of nearly 10 MB is accepted, and a larger one gets a message", async () => {
    const noise = { raw: { width: 1_750, height: 1_850, channels: 3 as const } };
    const picture = await sharp(randomBytes(1_750 * 1_850 * 3), noise)
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(picture.length).toBeGreaterThan(9_500_000);
    const taken = await ask(proxy.port, "/api/posts", { method: "POST", ...postForm(picture) });
    expect([taken.status, taken.body.slice(0, 100)]).toEqual([201, expect.stringContaining("_id")]);
    const larger = Buffer.concat([picture, Buffer.alloc(1_000_000)]);
    const refused = await ask(proxy.port, "/api/posts", { method: "POST", ...postForm(larger) });
    expect([refused.status, JSON.parse(refused.body).message]).toEqual([413, "File too large"]);
  });

  test("a page, its scripts and its picture are served compressed, and absolute links use PUBLIC_URL", async () => {
    const page = await ask(proxy.port, "/");
    expect(page.status).toBe(200);
    expect(page.body).toContain(`https://${HOST}/media/`);
    expect(page.body).not.toContain("http://");
    const { headers } = await ask(proxy.port, "/", { headers: { "accept-encoding": "gzip" } });
    expect(headers["content-encoding"]).toBe("gzip");
    const [script = ""] = /\/assets\/[\w-]+\.js/.exec(page.body) ?? [];
    expect((await ask(proxy.port, script)).headers["content-type"]).toContain("javascript");
    const [, picture = ""] = new RegExp(`https://${HOST}(/media/[\\w/.-]+\\.webp)`).exec(page.body) ?? [];
    expect((await ask(proxy.port, picture)).headers["content-type"]).toBe("image/webp");
  });

  test("a list of thousands of posts is complete", async () => {
    const { status, body } = await ask(proxy.port, "/api/posts");
    expect(status).toBe(200);
    expect(JSON.parse(body).length).toBeGreaterThan(POSTS);
  });

  test("rows 7 and 13: rate limits use the client's address, whatever its headers claim", async () => {
    const from = name === "nginx" ? "127.0.0.21" : "127.0.0.22";
    const headers = { ...json, "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.7" };
    await signIn(proxy.port, { email: "nobody@example.com", password: "a wrong one" }, { from, headers });
    await expect
      .poll(
        () =>
          readFileSync(logFile, "utf8")
            .split("\n")
            .filter((line) => line.includes(from)).length,
      )
      .toBeGreaterThan(0);
    expect(readFileSync(logFile, "utf8")).not.toContain("203.0.113.7");
  });

  test("metrics are refused", async () => {
    expect((await ask(proxy.port, "/metrics")).status).toBe(403);
  });
});
