import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR, emailKindsTo, MINUTE } from "../../testing/accounts.ts";
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

describe("M1: two hours after sign-in", () => {
  beforeEach(() => age(2 * HOUR + MINUTE));

  test("a password change needs the current password and keeps the session", async () => {
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

  test("deleting one's own account needs the current password in both APIs", async () => {
    expect((await blog.rest("DELETE", path(), maya.token)).body.code).toBe("REAUTHENTICATION_REQUIRED");
    const query =
      "mutation ($id: ID!, $p: String) { deleteProfile(id: $id, currentPassword: $p) { message } }";
    const inGraphql = await blog.gql(query, { id: maya.id }, maya.token);
    expect(inGraphql.body.errors[0].extensions.code).toBe("REAUTHENTICATION_REQUIRED");
    const { body } = await blog.gql(query, { id: maya.id, p: PASSWORD }, maya.token);
    expect(body.data.deleteProfile.message).toBe("your profile has been deleted");
  });

  test("permissions are checked first, and other changes need no password", async () => {
    const noor = await blog.signUp();
    const others = await blog.rest("PUT", path(), noor.token, { password });
    expect(others.body.message).toBe("not allowed, only user himself");
    expect((await blog.rest("PUT", path(), maya.token, { bio: "I write." })).status).toBe(200);
  });

  test("an admin deletes other accounts without a password", async () => {
    const ada = await blog.signUp({ isAdmin: true });
    await blog.db.session.updateMany({ data: { createdAt: new Date(Date.now() - 5 * HOUR) } });
    expect((await blog.rest("DELETE", path(), ada.token)).status).toBe(200);
  });

  test("wrong passwords are rate-limited", async () => {
    const statuses = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await blog.rest("DELETE", path(), maya.token, { currentPassword: `${n}` })).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  });
});

test("concurrent attempts are counted before they are checked", async () => {
  await age(3 * HOUR);
  const tries = Array.from({ length: 40 }, (_, n) => `guess ${n}`);
  const responses = await Promise.all(
    tries.map((currentPassword) => blog.rest("DELETE", path(), maya.token, { currentPassword })),
  );
  expect(responses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(10);
});

test("within two hours no password is needed, so legacy requests work unchanged", async () => {
  await age(2 * HOUR - MINUTE);
  expect((await blog.rest("PUT", path(), maya.token, { password })).status).toBe(200);
  expect((await blog.rest("DELETE", path(), maya.token)).status).toBe(200);
});

test("password changes are limited to ten an hour", async () => {
  const change = async (n: number) =>
    (await blog.rest("PUT", path(), maya.token, { password: `${password} ${n}` })).status;
  const statuses = [];
  for (let n = 0; n < 12; n++) statuses.push(await change(n));
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  expect(await emailKindsTo(blog, maya.email)).toEqual(Array(10).fill("passwordChanged"));
});
