import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog } from "./testing/blog.ts";

const run = promisify(execFile);
const folders = [await makeDataDir(), await makeDataDir()];
const file = `${folders[0]}.tar.gz`;
afterAll(async () => {
  await Promise.all(folders.map(removeDataDir));
  await rm(file, { force: true });
});

const command = (dataDir: string, ...args: string[]) =>
  run(process.execPath, ["dist/server/blog.js", ...args], {
    env: { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir },
  });

test("a backup of a running blog can be restored elsewhere, accounts included", async () => {
  const [here = "", there = ""] = folders;
  const env = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery", DEMO: "off" };
  const blog = await startBlog({ dataDir: here, env });
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  expect((await command(here, "--version")).stdout).toBe(`Blog ${version}, Node.js ${process.version}\n`);
  expect((await command(here, "backup", file)).stdout).toMatch(/User: 1 rows[^]*Wrote .*tar\.gz/);
  await expect(command(here, "restore", file, "--replace")).rejects.toThrow("The blog is running");
  expect(await blog.stop()).toBe(0);

  expect((await command(there, "restore", file)).stdout).toContain("Restored.");
  const copy = await startBlog({ dataDir: there, env: { DEMO: "off" } });
  const response = await fetch(`${copy.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }),
  });
  expect(response.status).toBe(200);
  expect(await copy.stop()).toBe(0);
});
