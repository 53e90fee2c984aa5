import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { startMailServer } from "../server/testing/mail.ts";
import { json, PASSWORD } from "./testing/people.ts";
import { report, seconds, sleep } from "./testing/observations.ts";

const PEOPLE = 10;

let dataDir: string;
let port: number;
let blog: RunningBlog;
beforeAll(async () => {
  [dataDir, port] = [await makeDataDir(), await findFreePort()];
  blog = await startBlog({ dataDir, env: { DEMO: "off", MAIL_URL: `smtp://127.0.0.1:${port}` } });
});
afterAll(async () => {
  await blog.stop();
  await removeDataDir(dataDir);
});

test("the mail server is down: registering works, and once it is back each email is delivered once", async (context) => {
  const emails = Array.from({ length: PEOPLE }, (_, n) => `person.${n}@example.org`);
  const responses = await Promise.all(
    emails.map(async (email, n) => {
      const began = performance.now();
      const body = JSON.stringify({ username: `Person ${n}`, email, password: PASSWORD });
      const { status } = await fetch(`${blog.url}/api/auth/register`, {
        method: "POST",
        headers: json(),
        body,
      });
      return { status, time: performance.now() - began };
    }),
  );
  const failures = () => blog.output().split("an email was not accepted").length - 1;
  await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThanOrEqual(PEOPLE);

  const began = performance.now();
  const { delivered } = await startMailServer({ port });
  await expect.poll(() => delivered.length, { timeout: 60_000 }).toBe(PEOPLE);
  const back = performance.now() - began;
  await sleep(3_000);
  const slowest = Math.max(...responses.map(({ time }) => time));
  report(
    context,
    `${PEOPLE} registered while it was down, each within ${seconds(slowest)}; ${failures()} tries logged; ` +
      `${delivered.length} letters ${seconds(back)} after its return, none twice`,
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(PEOPLE).fill(201));
  expect(delivered.flatMap(({ recipients }) => recipients).sort()).toEqual(emails);
  for (const email of emails) expect(blog.output()).not.toContain(email);
});
