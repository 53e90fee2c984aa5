import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { fairClients } from "./fair-client.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const CONNECTIONS = 4;
const [attacker, other] = ["192.0.2.1", "198.51.100.1"];

test("a network with many statements leaves connections, and the next turn, to others", async () => {
  const dbOf = fairClients(blog.db, CONNECTIONS);
  let [running, highest, ended] = [0, 0, 0];
  const flood = Array.from({ length: 40 }, () =>
    dbOf(attacker).$transaction(async (tx) => {
      highest = Math.max(highest, ++running);
      await tx.$queryRaw`SELECT pg_sleep(0.02)::text`;
      running--;
      ended++;
    }),
  );
  const others = Array.from({ length: 5 }, () => dbOf(other).user.count());
  await Promise.all(others);
  expect(ended).toBeLessThan(20);
  await Promise.all(flood);
  expect([highest, ended]).toEqual([2, 40]);
});

test("errors reach the caller, and end the turn", async () => {
  const db = fairClients(blog.db, 1)(attacker);
  const failed = () => db.user.findUniqueOrThrow({ where: { id: randomUUID() } });
  await expect(failed()).rejects.toMatchObject({ code: "P2025" });
  await expect(db.$transaction(() => failed())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await db.user.count()).toBe(0);
}, 20_000);

// One request each that is counted by no limit, and took a connection in the order of arrival.
test.each([
  ["DELETE", "/api/posts/ID"],
  ["DELETE", "/api/comments/ID"],
  ["POST", "/api/users/profile/profile-photo-upload"],
] as const)("R23A: a flood of %s %s delays neither comments nor sign-ins of others", async (verb, path) => {
  const [mallory, maya] = [await blog.signUp(), await blog.signUp()];
  const { id: postId } = await createPost(blog.db, { userId: maya.id });
  const json = { "content-type": "application/json" };
  let isOver = false;
  let answered = 0;
  const attack = async () => {
    while (!isOver) {
      await blog.send(verb, path.replace("ID", randomUUID()), mallory.token, undefined, json, attacker);
      answered++;
    }
  };
  const flood = Array.from({ length: 100 }, attack);
  await expect.poll(() => answered).toBeGreaterThan(100);
  const before = answered;
  const comment = { postId, text: "Well said." };
  const sent = await blog.send("POST", "/api/comments", maya.token, comment, json, other);
  const signedIn = await blog.send(
    "POST",
    "/api/auth/login",
    null,
    { email: maya.email, password: PASSWORD },
    json,
    other,
  );
  const meanwhile = answered - before;
  isOver = true;
  await Promise.all(flood);
  // In the order of arrival several hundred more, since a hundred requests wait before each statement.
  expect(meanwhile).toBeLessThan(480);
  expect([sent.status, signedIn.status]).toEqual([201, 200]);
});
