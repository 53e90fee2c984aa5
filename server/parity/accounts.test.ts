import { beforeAll, describe, expect, test } from "vitest";
import * as calls from "../testing/account-calls.ts";
import { links, startAccountPair } from "../testing/account-pair.ts";
import { PASSWORD } from "../testing/app.ts";
import { ids, type ParityCall, type Who } from "../testing/parity.ts";

let pair: Awaited<ReturnType<typeof startAccountPair>>;
beforeAll(async () => {
  pair = await startAccountPair();
});

type Row = {
  title: string;
  as?: Who;
  call: ParityCall;
  shape: (data: any) => any;
  status?: number;
  changes?: string[];
};

const registration = { username: " Ines ", email: "Ines@Example.com", password: PASSWORD };

const linkRows: Row[] = [
  {
    title: "registering",
    call: calls.register(registration),
    shape: (data) => data.register,
    status: 201,
    changes: ["User", "MailToken", "Letter"],
  },
  {
    title: "registering with an address that has an account",
    call: calls.register({ ...registration, email: "MAYA@example.com" }),
    shape: (data) => data.register,
    status: 201,
    changes: ["Letter"],
  },
  {
    title: "verifying an address",
    call: calls.verifyEmail(ids.unverified, links.verify),
    shape: (data) => data.verifyEmail,
    changes: ["User", "MailToken"],
  },
  {
    title: "requesting a reset link",
    call: calls.requestPasswordReset(" NOOR@example.com "),
    shape: (data) => data.requestPasswordReset,
    changes: ["MailToken", "Letter"],
  },
  {
    title: "requesting a reset link for an unknown address",
    call: calls.requestPasswordReset("nobody@example.com"),
    shape: (data) => data.requestPasswordReset,
  },
  {
    title: "checking a reset link",
    call: calls.checkResetLink(ids.maya, links.reset),
    shape: (data) => data.resetLinkValid && { message: "Valid url" },
  },
  {
    title: "choosing a new password by a link",
    call: calls.resetPassword(ids.maya, links.reset, "quite another secret"),
    shape: (data) => data.resetPassword,
    changes: ["User", "Session", "MailToken", "Letter"],
  },
];

const profileRows: Row[] = [
  ...([undefined, "maya", "noor", "ada", "expired"] as const).map((as) => ({
    title: `a profile, read by ${as ?? "a visitor"}`,
    ...(as && { as }),
    call: calls.readProfile(ids.maya),
    shape: (data: any) => calls.asProfile(data.profile),
  })),
  {
    title: "changing one's name and bio",
    as: "maya",
    call: calls.updateProfile(ids.maya, { username: " Maya Lin ", bio: null }),
    shape: (data) => calls.asProfile(data.updateProfile),
    changes: ["User"],
  },
  {
    title: "changing one's password",
    as: "maya",
    call: calls.updateProfile(ids.maya, { password: "quite another secret" }),
    shape: (data) => calls.asProfile(data.updateProfile),
    changes: ["User", "Session", "Letter"],
  },
  {
    title: "changing nothing",
    as: "maya",
    call: calls.updateProfile(ids.maya),
    shape: (data) => calls.asProfile(data.updateProfile),
  },
  {
    title: "uploading a photo",
    as: "maya",
    call: calls.uploadProfilePhoto(),
    shape: (data) => data.uploadProfilePhoto,
    changes: ["User", "Picture", "files"],
  },
  ...(["maya", "ada"] as const).map((as) => ({
    title: `deleting an account with all its content, as ${as}`,
    as,
    call: calls.deleteProfile(ids.maya),
    shape: (data: any) => data.deleteProfile,
    changes: ["User", "Post", "Picture", "Like", "Comment", "Session", "MailToken", "Letter", "files"],
  })),
];

const adminRows: Row[] = [
  {
    title: "the accounts, for an admin",
    as: "ada",
    call: calls.readUsers,
    shape: (data) => data.users.nodes,
  },
  {
    title: "the number of accounts, for an admin",
    as: "ada",
    call: calls.countUsers,
    shape: (data) => data.usersCount,
  },
];

describe("GraphQL and REST give the same response and cause the same changes:", () => {
  test.each([...linkRows, ...profileRows, ...adminRows])(
    "$title",
    async ({ as, call, shape, status, changes }) => {
      const { graphql, rest, before, after } = await pair.call({ ...call, ...(as && { as }) });
      expect(graphql.body.errors).toBeUndefined();
      expect(rest.status).toBe(status ?? 200);
      // Wrapped for bare numbers. REST may return more fields than GraphQL selects.
      expect({ response: rest.body }).toMatchObject({ response: shape(graphql.body.data) });
      expect(after.graphql).toEqual(after.rest);
      const changed = Object.keys(before).filter(
        (part) => JSON.stringify(before[part]) !== JSON.stringify(after.rest[part]),
      );
      expect(changed.sort()).toEqual([...(changes ?? [])].sort());
    },
  );
});
