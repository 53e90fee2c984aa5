import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readEnv } from "../env.ts";
import { startTestApp } from "../testing/app.ts";
import { afterFile } from "../testing/cleanup.ts";
import { createAdminAccount } from "./admin.ts";

const blog = await startTestApp();
const password = "a secret for the admin";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-admin-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const env = readEnv({ DATABASE_URL: blog.url, DATA_DIR: await makeFolder() });
const create = (...args: string[]) =>
  createAdminAccount(env, ["create", ...args], Readable.from([`${password}\n`]));
const signIn = async (email: string, secret: string) =>
  (await blog.rest("POST", "/auth/login", null, { email, password: secret })).status;

test("admin create reads the password from its input, generates one, or takes it as an argument", async () => {
  expect(await create("ada@example.com", "--password-stdin")).toBe("ada@example.com is an admin now.");
  expect(await signIn("ada@example.com", password)).toBe(200);
  const [, generated = ""] = /with the password (\S+)$/.exec(await create("ben@example.com")) ?? [];
  expect(await signIn("ben@example.com", generated)).toBe(200);
  expect(await create("eve@example.com", password)).toMatch(/an admin now\. The shell's history may contain/);
  expect(await signIn("eve@example.com", password)).toBe(200);
});

test("npm writes no log of the arguments of a command", async () => {
  const folder = await makeFolder();
  await copyFile(".npmrc", join(folder, ".npmrc"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { blog: "node -e 0" } }));
  const cache = join(folder, "cache");
  execFileSync("npm", ["run", "blog", "--", "admin", "create", "a@example.com", password], {
    cwd: folder,
    env: { ...process.env, npm_config_cache: cache },
  });
  const names = await readdir(join(cache, "_logs")).catch(() => []);
  const logs = await Promise.all(names.map((name) => readFile(join(cache, "_logs", name), "utf8")));
  expect(logs.join()).not.toContain(password);
});
