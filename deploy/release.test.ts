import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBlog } from "../e2e/testing/blog.ts";
import { buildReleaseStage } from "./testing/image.ts";
import { makeFolder, removeFolder, startPostgres } from "./testing/programs.ts";

const run = promisify(execFile);
const folder = makeFolder("release");
const LARGEST = 180;
let release: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  postgres = await startPostgres(folder);
  release = await buildReleaseStage(folder);
}, 600_000);
afterAll(async () => {
  await postgres.stop();
  removeFolder(folder);
});

test("the image consists of the folder that its first stage makes", () => {
  expect(readFileSync("Dockerfile", "utf8").match(/^COPY --from.*$/gm)).toEqual([
    "COPY --from=build /release ./",
  ]);
});

test(`the folder of an image takes ${LARGEST} MB at most, and can serve, check, back up and restore`, async () => {
  const megabytes = Number(spawnSync("du", ["-sm", release]).stdout.toString().split("\t")[0]);
  console.info(`the folder of an image: ${megabytes} MB`);
  expect(megabytes).toBeLessThanOrEqual(LARGEST);
  const env = { DATABASE_URL: postgres.url, DEMO: "on" };
  const dataDir = join(folder, "data-of-blog");
  const program = { folder: release, script: "dist/server/main.js" };
  const blog = await startBlog({ dataDir, env, program });
  expect((await fetch(blog.url)).status).toBe(200);
  const command = (...args: string[]) =>
    run(join(release, "bin/blog"), args, {
      cwd: folder,
      env: { ...process.env, ENV_FILE: "/dev/null", DATA_DIR: dataDir, DATABASE_URL: postgres.url },
    });
  expect((await command("doctor")).stdout).toContain("all migrations are applied");
  // Paths are relative to the caller's folder.
  const file = join(folder, "saved.tar.gz");
  expect((await command("backup", "saved.tar.gz")).stdout).toContain(`Wrote ${file}`);
  expect(await blog.stop()).toBe(0);
  expect((await command("restore", file, "--replace")).stdout).toContain("Restored.");
  const again = await startBlog({ dataDir, env, program });
  expect(await (await fetch(`${again.url}/api/posts/count`)).json()).toBe(40);
  expect(await again.stop()).toBe(0);
}, 180_000);
