import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR, kindsTo, MINUTE } from "../../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
});
beforeEach(async () => {
  maya = await blog.signUp();
});

const age = (milliseconds: number) =>
  blog.db.session.updateMany({
    where: { userId: maya.id },
    data: { createdAt: new Date(Date.now() - milliseconds) },
  });

const path = () => `/users/profile/${maya.id}`;
const password = "quite another secret";

describe("M1: two hours after signing in", () => {
  beforeEach(() => age(2 * HOUR + MINUTE));

  test("a new password needs the current one, and the session goes on", async () => {
    const refused = await blog.rest("PUT", path(), maya.token, { password });
    expect([refused.status, refused.body.code]).toEqual([403, "REAUTHENTICATION_REQUIRED"]);
    expect(refused.body.message).toMatch(/sign in again/);
    const wrong = await blog.rest("PUT", path(), maya.token, { password, currentPassword: "wrong" });
    expect([wrong.status, wrong.body.fields]).toEqual([
      400,
      { currentPassword: '"currentPassword" is not your password' },
    ]);
    const taken = await blog.rest("PUT", path(), maya.token, { password, currentPassword: PASSWORD });
    expect(taken.status).toBe(200);
  });

  test("so does one's own deletion, in both APIs", async () => {
    expect((await blog.rest("DELETE", path(), maya.token)).body.code).toBe("REAUTHENTICATION_REQUIRED");
    const query =
      "mutation ($id: ID!, $p: String) { deleteProfile(id: $id, currentPassword: $p) { message } }";
    const inGraphql = await blog.gql(query, { id: maya.id }, maya.token);
    expect(inGraphql.body.errors[0].extensions.code).toBe("REAUTHENTICATION_REQUIRED");
    const { body } = await blog.gql(query, { id: maya.id, p: PASSWORD }, maya.token);
    expect(body.data.deleteProfile.message).toBe("your profile has been deleted");
  });

  test("ownership is asked first, and everything else needs no password", async () => {
    const noor = await blog.signUp();
    const others = await blog.rest("PUT", path(), noor.token, { password });
    expect(others.body.message).toBe("not allowed, only user himself");
    expect((await blog.rest("PUT", path(), maya.token, { bio: "I write." })).status).toBe(200);
  });

  test("an admin deletes others without a password", async () => {
    const ada = await blog.signUp({ isAdmin: true });
    await blog.db.session.updateMany({ data: { createdAt: new Date(Date.now() - 5 * HOUR) } });
    expect((await blog.rest("DELETE", path(), ada.token)).status).toBe(200);
  });

  test("wrong passwords are counted: a stolen token cannot try them all", async () => {
    const statuses = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await blog.rest("DELETE", path(), maya.token, { currentPassword: `${n}` })).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  });
});

test("tries at the same time are counted before they are looked at", async () => {
  await age(3 * HOUR);
  const tries = Array.from({ length: 40 }, (_, n) => `guess ${n}`);
  const answers = await Promise.all(
    tries.map((currentPassword) => blog.rest("DELETE", path(), maya.token, { currentPassword })),
  );
  expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(10);
});

test("within two hours nothing more is asked, so legacy calls work as they did", async () => {
  await age(2 * HOUR - MINUTE);
  expect((await blog.rest("PUT", path(), maya.token, { password })).status).toBe(200);
  expect((await blog.rest("DELETE", path(), maya.token)).status).toBe(200);
});

test("a password is changed ten times an hour at most: each change writes a letter and computes a hash", async () => {
  const change = async (n: number) =>
    (await blog.rest("PUT", path(), maya.token, { password: `${password} ${n}` })).status;
  const statuses = [];
  for (let n = 0; n < 12; n++) statuses.push(await change(n));
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  expect(await kindsTo(blog, maya.email)).toEqual(Array(10).fill("passwordChanged"));
});
