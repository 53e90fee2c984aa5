import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { finishDeferredWork } from "../../domain/deferred-work.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let ada: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  ada = await blog.signUp({ isAdmin: true });
  for (const { email } of [maya, ada])
    await blog.rest("POST", "/password/reset-password-link", null, { email });
  await finishDeferredWork();
});

afterEach(() => {
  blog.services.mail.isLocalOutbox = true;
});

const letters = "{ letters(first: 10) { totalCount nodes { recipient subject text sentAt } } }";
const refusalTo = async (token: string | null) => {
  const { body } = await blog.gql(letters, {}, token);
  expect(body.data).toBeNull();
  return body.errors[0].extensions.code;
};

describe("the outbox of a blog without a mail server", () => {
  test("is visible to admins, newest first", async () => {
    const { body } = await blog.gql(letters, {}, ada.token);
    expect(body.data.letters.totalCount).toBe(2);
    expect(body.data.letters.nodes.map(({ recipient }: any) => recipient)).toEqual([ada.email, maya.email]);
    expect(body.data.letters.nodes[0]).toMatchObject({
      subject: "Reset your password for Blog",
      text: expect.stringContaining("http://blog.test/reset-password/"),
      sentAt: null,
    });
  });

  test("is refused to everybody else", async () => {
    expect(await refusalTo(null)).toBe("UNAUTHENTICATED");
    expect(await refusalTo("undefined")).toBe("UNAUTHENTICATED");
    expect(await refusalTo(maya.token)).toBe("FORBIDDEN");
  });
});

test("with a mail server nobody can read emails, because they contain links", async () => {
  blog.services.mail.isLocalOutbox = false;
  expect(await refusalTo(ada.token)).toBe("NOT_FOUND");
  expect(await refusalTo(maya.token)).toBe("FORBIDDEN");
});
