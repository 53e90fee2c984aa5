import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callerOf } from "../../testing/accounts.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createUser } from "../../testing/factories.ts";
import { createAdmin } from "./accounts.ts";
import { fillConfusableKeys } from "./names.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});
beforeEach(async () => {
  await blog.db.user.deleteMany();
  await blog.db.pendingRegistration.deleteMany();
});

let count = 0;
const register = async (username: string) => {
  const email = `somebody${++count}@example.org`;
  const { status, body } = await callerOf(blog)("POST", "/auth/register", {
    ...{ username, email, password: "a long enough secret" },
  });
  return [status, status === 201 ? "" : body.message];
};

describe("M4: new names", () => {
  test.each([
    ["zero-width", "Ma\u200bya"],
    ["a soft hyphen", "Ma\u00adya"],
    ["a direction override", "Maya\u202e"],
    ["an isolate", "\u2066Maya"],
    ["a newline", "Maya\nNoor"],
    ["a newline at its end", "Maya\n"],
    ["a control character", "Maya\u0007"],
    ["a line separator", "Ma\u2028ya"],
  ])("reject %s", async (_name, username) => {
    expect(await register(username)).toEqual([
      400,
      '"username" contains characters that cannot be seen or typed',
    ]);
  });

  test.each(["José María", "李小龍", "محمد علي", "O'Brien", "Zoë 😀", "👩‍👩‍👧", "1984", "می‌خواهم"])(
    "accept %s",
    async (username) => {
      expect(await register(username)).toEqual([201, ""]);
    },
  );

  test("must not look like another name if either has non-ASCII letters", async () => {
    await createUser(blog.db, { username: "Admin" });
    await fillConfusableKeys(blog.services);
    for (const username of ["Аdmin", "аdmin", "Ａdmin", "Αdmin"])
      expect(await register(username), username).toEqual([409, "username already exist"]);
    for (const username of ["Adrnin", "Adm1n"]) expect(await register(username), username).toEqual([201, ""]);
  });

  test("only one of several concurrent lookalikes is accepted", async () => {
    const statuses = await Promise.all(["раураl", "paypal", "pаypаl"].map(register));
    expect(statuses.filter(([status]) => status === 201)).toHaveLength(1);
  });
});

test("a name that predates the rules stays valid when the profile is saved unchanged", async () => {
  const noor = await blog.signUp({ username: "No\u200bor" });
  const save = (fields: object) => blog.rest("PUT", `/users/profile/${noor.id}`, noor.token, fields);
  expect((await save({ username: "No\u200bor", bio: "I write." })).status).toBe(200);
  expect((await save({ username: "No\u200bora" })).status).toBe(400);
});

test("the first admin gets another name if one like Admin is taken", async () => {
  await createUser(blog.db, { username: "Аdmin" });
  await fillConfusableKeys(blog.services);
  expect(
    await createAdmin(blog.services, { email: "ada@example.org", password: "a long enough secret" }),
  ).toBe(true);
  const { username } = await blog.db.user.findUniqueOrThrow({ where: { email: "ada@example.org" } });
  expect(username).toMatch(/^Admin \d{4}$/);
});
