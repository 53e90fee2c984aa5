import { afterAll, beforeAll, expect, test } from "vitest";
import { ageFiles, ageStore, findBroken, readFacts } from "./testing/findings.ts";
import { createHistory } from "./testing/history.ts";
import { openSeveral, openSingle, type Killable } from "./testing/killable.ts";
import { fillBlog } from "./testing/people.ts";
import { report, seconds, sleep } from "./testing/observations.ts";
import { createWriter, writeUntil } from "./testing/writers.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 10);
/** Acknowledged writes before each kill: fifty rounds make more than ten thousand. */
const WRITES = 210;

let blog: Killable;
beforeAll(async () => {
  blog = await (process.env["TOPOLOGY"] === "full" ? openSeveral() : openSingle());
  await blog.start();
});
afterAll(() => blog.end());

test(`killed ${ROUNDS} times during writes, every third time with its database`, async (context) => {
  const names = Array.from({ length: 8 }, (_, n) => `Writer ${n}`);
  const { people, postId } = await fillBlog(blog.url, await blog.findDatabase(), names);
  await ageStore(await blog.findDatabase());
  const history = createHistory();
  const writers = people.map((person) => createWriter({ site: blog.url, postId, history }, person));
  const sound = new Set<string>();
  const violations: string[] = [];
  let slowest = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const goal = history.tally.acknowledged + WRITES;
    let isDead = false;
    const writing = writeUntil(() => isDead, writers);
    while (history.tally.acknowledged < goal) await sleep(5);
    await sleep(Math.random() * 150);
    const killed = blog.kill({ database: round % 3 === 0 });
    isDead = true;
    await Promise.all([killed, writing]);
    await ageFiles(blog.folder);
    const began = performance.now();
    await blog.start();
    slowest = Math.max(slowest, performance.now() - began);
    const url = await blog.findDatabase();
    const found = [...history.check(await readFacts(url)), ...(await findBroken(url, blog.stored, sound))];
    violations.push(...found.map((each) => `round ${round}: ${each}`));
    const { acknowledged, refused, unanswered } = history.tally;
    report(
      context,
      `${round} kills, ${acknowledged} writes acknowledged, ${refused} refused, ${unanswered} unanswered, ` +
        `${sound.size} pictures whole; ${violations.length} violations; back within ${seconds(slowest)}`,
    );
  }
  expect(violations).toEqual([]);
});
