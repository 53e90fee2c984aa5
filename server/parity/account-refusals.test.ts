import { beforeAll, describe, expect, test } from "vitest";
import * as calls from "../testing/account-calls.ts";
import { links, startAccountPair } from "../testing/account-pair.ts";
import { PASSWORD } from "../testing/app.ts";
import { expectRefusal as expectRefusalOf, login, type Refusal } from "../testing/parity-calls.ts";
import { ids, type ParityCall, type Who } from "../testing/parity.ts";

let pair: Awaited<ReturnType<typeof startAccountPair>>;
beforeAll(async () => {
  pair = await startAccountPair();
});

const expectRefusal = (call: ParityCall, refusal: Refusal) => expectRefusalOf(pair, call, refusal);
const badInput = (message: string, field?: string): Refusal => ({
  ...{ code: "BAD_USER_INPUT", message },
  ...(field && { fields: { [field]: message } }),
});
const unauthenticated = (message: string): Refusal => ({ code: "UNAUTHENTICATED", message });
const forbidden = (message: string): Refusal => ({ code: "FORBIDDEN", message });
const ownerOnly = forbidden("not allowed, only user himself");
const adminOnly = forbidden("not allowed, only admin");

describe.each<[string, ParityCall]>([
  ["changing a profile", calls.updateProfile(ids.maya, { bio: "Changed." })],
  ["uploading a photo", calls.uploadProfilePhoto()],
  ["deleting an account", calls.deleteProfile(ids.maya)],
  ["reading all accounts", calls.readUsers],
  ["counting accounts", calls.countUsers],
])("%s is refused", (_name, call) => {
  test("without a token", () => expectRefusal(call, unauthenticated("no token provided, access denied")));

  test.each(["bad", "expired"] as const)("with a token that is %s", (as) =>
    expectRefusal({ ...call, as }, unauthenticated("invalid token, access denied")),
  );
});

test.each<[string, Who, ParityCall, Refusal]>([
  ["changing another's profile", "noor", calls.updateProfile(ids.maya, { bio: "Mine." }), ownerOnly],
  ["changing another's profile as admin", "ada", calls.updateProfile(ids.maya, { bio: "Mine." }), ownerOnly],
  [
    "deleting another's account",
    "noor",
    calls.deleteProfile(ids.maya),
    forbidden("not allowed, only user himself or admin"),
  ],
  ["reading all accounts", "maya", calls.readUsers, adminOnly],
  ["counting accounts", "maya", calls.countUsers, adminOnly],
])("%s is forbidden to %s", (_name, as, call, refusal) => expectRefusal({ ...call, as }, refusal));

test.each<[string, (id: string) => ParityCall]>([
  ["changing a profile", calls.updateProfile],
  ["deleting an account", calls.deleteProfile],
])("%s refuses malformed and unknown ids", async (_name, call) => {
  await expectRefusal({ ...call(ids.malformed), as: "maya" }, badInput("invalid id"));
  await expectRefusal({ ...call(ids.nobody), as: "maya" }, { code: "NOT_FOUND", message: "user not found" });
});

test("reading a profile by a malformed id is refused", () =>
  expectRefusal(calls.readProfile(ids.malformed), badInput("invalid id")));

test("a missing profile is null in GraphQL and 404 in REST", async () => {
  const { graphql, rest } = await pair.call(calls.readProfile(ids.nobody));
  expect(graphql.body).toEqual({ data: { profile: null } });
  expect(rest).toEqual({ status: 404, body: { message: "user not found", code: "NOT_FOUND" } });
});

test("an invalid reset link is false in GraphQL and 400 in REST", async () => {
  for (const [id, token] of [
    [ids.maya, "wrong"],
    [ids.noor, links.reset],
    [ids.malformed, links.reset],
  ] as const) {
    const { graphql, rest } = await pair.call(calls.checkResetLink(id, token));
    expect(graphql.body).toEqual({ data: { resetLinkValid: false } });
    expect(rest).toMatchObject({ status: 400, body: { message: "invalid link" } });
  }
});

const somebody = { username: "Ines", email: "ines@example.com", password: PASSWORD };
const taken: Refusal = { code: "CONFLICT", message: "username already exist" };
const short = '"password" length must be at least 8 characters long';
const ownName = '"password" must not be your username or email';
const secret = "quite another secret";

test.each<[string, Who | undefined, ParityCall, Refusal]>([
  ["a name that is taken", undefined, calls.register({ ...somebody, username: "mAYA" }), taken],
  ["another's name", "maya", calls.updateProfile(ids.maya, { username: "NOOR" }), taken],
  [
    "what is no address",
    undefined,
    calls.register({ ...somebody, email: "no address" }),
    badInput('"email" must be a valid email', "email"),
  ],
  [
    "a short password",
    undefined,
    calls.register({ ...somebody, password: "short" }),
    badInput(short, "password"),
  ],
  [
    "the name as password",
    undefined,
    calls.register({ ...somebody, username: "Ines Maria", password: "ines maria" }),
    badInput(ownName, "password"),
  ],
  [
    "several mistakes at once",
    "maya",
    calls.updateProfile(ids.maya, { username: "x", password: "short" }),
    {
      ...badInput('"username" length must be at least 2 characters long'),
      fields: { username: '"username" length must be at least 2 characters long', password: short },
    },
  ],
  ["a wrong verify link", undefined, calls.verifyEmail(ids.unverified, "wrong"), badInput("invalid link")],
  [
    "a verify link of another",
    undefined,
    calls.verifyEmail(ids.maya, links.verify),
    badInput("invalid link"),
  ],
  ["a reset link to verify", undefined, calls.verifyEmail(ids.maya, links.reset), badInput("invalid link")],
  ["a wrong reset link", undefined, calls.resetPassword(ids.maya, "wrong", secret), badInput("invalid link")],
  [
    "a weak password for a good reset link",
    undefined,
    calls.resetPassword(ids.maya, links.reset, "short"),
    badInput(short, "password"),
  ],
  [
    "a malformed address for a reset link",
    undefined,
    calls.requestPasswordReset("no address"),
    badInput('"email" must be a valid email', "email"),
  ],
  ["a wrong password", undefined, login("maya@example.com", "wrong"), badInput("invalid email or password")],
  [
    "a text for a photo",
    "maya",
    calls.uploadProfilePhoto(Buffer.from("not a picture")),
    { code: "UNSUPPORTED_MEDIA_TYPE", message: "Unsupported file format" },
  ],
  [
    "deleting the last admin",
    "ada",
    calls.deleteProfile(ids.ada),
    { code: "CONFLICT", message: "the last admin cannot be deleted" },
  ],
])("%s is refused with the same error", (_name, as, call, refusal) =>
  expectRefusal({ ...call, ...(as && { as }) }, refusal),
);
