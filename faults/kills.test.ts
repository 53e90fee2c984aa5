import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { ageFiles, findBroken, readFacts } from "./testing/findings.ts";
import { createHistory } from "./testing/history.ts";
import { fillBlog } from "./testing/people.ts";
import { note, seconds, sleep } from "./testing/observations.ts";
import { createWriter, writeUntil } from "./testing/writers.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 10);
/** Acknowledged writes before each kill: fifty rounds make more than ten thousand. */
const WRITES = 210;
const env = { DEMO: "off", RATE_LIMITS: "off" };

let dataDir: string;
let blog: RunningBlog;
beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterAll(async () => {
  await blog.stop();
  await removeDataDir(dataDir);
});

const findDatabase = async () => (await openEmbeddedPostgres(dataDir, () => undefined)).url;

async function killDatabase(): Promise<void> {
  const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
}

test(`killed ${ROUNDS} times during writes, every third time with its database`, async (context) => {
  blog = await startBlog({ dataDir, env });
  const port = Number(new URL(blog.url).port);
  const names = Array.from({ length: 8 }, (_, n) => `Writer ${n}`);
  const { people, postId } = await fillBlog(blog.url, await findDatabase(), names);
  const history = createHistory();
  const writers = people.map((person) => createWriter({ site: blog.url, postId, history }, person));
  const media = join(dataDir, "media");
  const sound = new Set<string>();
  const violations: string[] = [];
  let slowest = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const goal = history.tally.acknowledged + WRITES;
    let isDead = false;
    const writing = writeUntil(() => isDead, writers);
    while (history.tally.acknowledged < goal) await sleep(5);
    await sleep(Math.random() * 150);
    blog.process.kill("SIGKILL");
    if (round % 3 === 0) await killDatabase();
    isDead = true;
    await Promise.all([once(blog.process, "exit"), writing]);
    await ageFiles(media);
    const began = performance.now();
    blog = await startBlog({ dataDir, port, env });
    slowest = Math.max(slowest, performance.now() - began);
    const url = await findDatabase();
    const found = [...history.check(await readFacts(url)), ...(await findBroken(url, media, sound))];
    violations.push(...found.map((each) => `round ${round}: ${each}`));
    const { acknowledged, refused, unanswered } = history.tally;
    note(
      context,
      `${round} kills, ${acknowledged} writes acknowledged, ${refused} refused, ${unanswered} unanswered, ` +
        `${sound.size} pictures whole; ${violations.length} violations; back within ${seconds(slowest)}`,
    );
  }
  expect(violations).toEqual([]);
});
