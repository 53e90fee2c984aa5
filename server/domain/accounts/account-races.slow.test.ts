import { readdir } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Ctx } from "../context.ts";
import { createCategory } from "../categories.ts";
import { finishDeferredWork } from "../deferred-work.ts";
import { createComment, deleteComment, updateComment } from "../comments.ts";
import { likePost, toggleLike, unlikePost } from "../posts/likes.ts";
import { requestPasswordReset, resetPassword } from "./password-resets.ts";
import { createPost, deletePost, updatePost, updatePostImage } from "../posts/post-changes.ts";
import { deleteProfile } from "../profile-deletions.ts";
import { uploadProfilePhoto } from "../profile-photos.ts";
import { updateProfile } from "../profiles.ts";
import { endSession, login } from "./sessions.ts";
import { readEnv } from "../../env.ts";
import { startWorker } from "../../jobs/worker.ts";
import { openOutbox } from "../../mail/transports.ts";
import { callerOf, createAccount, ctxOf, emailKindsTo, emailsTo, linkTo } from "../../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";
import {
  createCategory as makeCategory,
  createComment as writeComment,
  createPost as createWrittenPost,
} from "../../testing/factories.ts";
import { makeOutbox, readOutbox, smtpTo, writeEmail } from "../../testing/mail.ts";
import { makePicture } from "../../testing/pictures.ts";

let blog: TestApp;
const image = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
});
async function viewerOf({ id }: { id: string }) {
  const session = await blog.db.session.findFirstOrThrow({ where: { userId: id } });
  return {
    id,
    isAdmin: false,
    sessionId: session.id,
    signedInAt: new Date(),
    authenticatedAt: performance.now(),
  };
}
const onDisk = async () => {
  const shards = await readdir(blog.mediaFolder);
  return (await Promise.all(shards.map((shard) => readdir(join(blog.mediaFolder, shard))))).flat();
};
const whenWriting = (first: () => Promise<unknown>) =>
  new Proxy(blog.db, {
    get: (db: any, name) =>
      name === "$transaction"
        ? async (work: unknown, ...more: unknown[]) => {
            await first();
            return db.$transaction(work, ...more);
          }
        : db[name],
  }) as Ctx["db"];

const register = (traits: object, n = crypto.randomUUID()) =>
  callerOf(blog)("POST", "/auth/register", {
    ...{ username: `Somebody ${n}`, email: `${n}@example.com`, password: PASSWORD, ...traits },
  });

test.each<[string, object, string]>([
  ["an empty name", { username: "" }, '"username" is not allowed to be empty'],
  ["a name of blanks", { username: "   " }, '"username" is not allowed to be empty'],
  ["a number for a name", { username: 7 }, '"username" must be a string'],
  ["an empty address", { email: " " }, '"email" is not allowed to be empty'],
  ["a list of addresses", { email: ["a@b.test"] }, '"email" must be a string'],
  ["an empty password", { password: "" }, '"password" is not allowed to be empty'],
])("%s is named as what it is", async (_name, traits, message) => {
  expect((await register(traits)).body.message).toBe(message);
});

test("only one of several concurrently requested reset links is valid", async () => {
  const { email, id } = await createAccount(blog);
  await Promise.all(Array.from({ length: 5 }, () => requestPasswordReset(ctxOf(blog), { email })));
  await finishDeferredWork();
  expect(await blog.db.mailToken.count({ where: { userId: id, usedAt: null } })).toBe(1);
});

test("a reset ends a session that is being opened with the old password", async () => {
  const { email, id } = await createAccount(blog);
  await requestPasswordReset(ctxOf(blog), { email });
  const { token } = await linkTo(blog, email, "reset");
  const reset = () => resetPassword(ctxOf(blog), id, token, { password: "quite another secret" });
  const once = vi.fn(async () => (once.mock.calls.length === 1 ? reset() : undefined));
  const session = new Proxy(blog.db.session, {
    get: (of: any, name) =>
      name === "create" ? async (args: unknown) => (await once(), of.create(args)) : of[name],
  });
  const db = new Proxy(whenWriting(once), {
    get: (of: any, name) => (name === "session" ? session : of[name]),
  }) as Ctx["db"];
  await login(ctxOf(blog, { db }), { email, password: PASSWORD }).catch(() => undefined);
  expect(await blog.db.session.count({ where: { userId: id } })).toBe(0);
});

test("concurrent failed sign-ins from one origin are limited to a hundred", async () => {
  const ctx = ctxOf(blog, { origin: "192.0.2.200" });
  const responses = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      login(ctx, { email: `at.once${n}@example.com`, password: "wrong" }).catch((error) => error.code),
    ),
  );
  expect(responses.filter((code) => code === "BAD_USER_INPUT")).toHaveLength(100);
  expect(responses.filter((code) => code === "RATE_LIMITED")).toHaveLength(20);
}, 30_000);

const message = {
  ...{ id: "0190-1", kind: "verify", recipient: "maya@example.com", subject: "A subject" },
  ...{ text: "A text.", html: "<p>A text.</p>", createdAt: new Date() },
};

test("an unresponsive mail server times out after ten seconds", async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const began = performance.now();
  const limit = new Promise((_, late) => setTimeout(() => late(new Error("too late")), 15_000));
  const delivery = smtpTo(`smtp://127.0.0.1:${port}`)(message);
  await expect(Promise.race([delivery, limit])).rejects.toThrow("Greeting");
  expect(performance.now() - began).toBeLessThan(12_000);
}, 20_000);

test.each(["Salt, Sea & Stone", "Salt; Stone", "Salt: Stone", "Salt (beta)", 'The "Salt"', "Zoë’s"])(
  "the sender's name can be %s",
  async (title) => {
    const outbox = await makeOutbox();
    await openOutbox(outbox, readEnv({ SITE_TITLE: title }).mailFrom)(message);
    const [file] = await readOutbox(outbox);
    expect(file?.email.from).toMatchObject({
      name: title.replaceAll('"', ""),
      address: "no-reply@localhost",
    });
  },
);

test("concurrent deletions of an account send one email", async () => {
  const maya = await blog.signUp();
  const path = `/users/profile/${maya.id}`;
  const responses = await Promise.all([1, 2, 3].map(() => blog.rest("DELETE", path, maya.token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await emailKindsTo(blog, maya.email)).toEqual(["accountDeleted"]);
});

test("a photo uploaded during the account's deletion is removed", async () => {
  const maya = await blog.signUp();
  const viewer = await viewerOf(maya);
  // Before each of its transactions. The account is closed in the first.
  const upload = () =>
    uploadProfilePhoto(ctxOf(blog, { viewer }), async () => ({ fields: {}, image })).catch(() => undefined);
  await deleteProfile(ctxOf(blog, { viewer, db: whenWriting(upload) }), maya.id);
  expect(await blog.db.picture.count()).toBe(0);
  expect(await onDisk()).toEqual([]);
});

describe("a write of a concurrently deleted account fails with UNAUTHENTICATED", () => {
  const refused = { name: "BlogError", code: "UNAUTHENTICATED", message: "invalid token, access denied" };
  const post = { title: "At once", description: "Long enough to be read.", category: "Craft" };
  const receive = (fields: object) => async () => ({ fields, image });
  type Ids = { user: string; session: string; post: string; comment: string };
  const writes: [string, (ctx: Ctx, own: Ids, others: Ids) => Promise<unknown>][] = [
    ["createPost", (ctx) => createPost(ctx, receive(post))],
    ["updatePost", (ctx, own) => updatePost(ctx, own.post, { title: "Late" }, {})],
    ["updatePostImage", (ctx, own) => updatePostImage(ctx, own.post, receive({}))],
    ["deletePost", (ctx, own) => deletePost(ctx, own.post)],
    ["createComment", (ctx, _, { post }) => createComment(ctx, { postId: post, text: "Late." })],
    ["updateComment", (ctx, own) => updateComment(ctx, own.comment, { text: "Late." })],
    ["deleteComment", (ctx, own) => deleteComment(ctx, own.comment)],
    ["likePost", (ctx, _, { post }) => likePost(ctx, post)],
    ["unlikePost", (ctx, own) => unlikePost(ctx, own.post)],
    ["toggleLike", (ctx, _, { post }) => toggleLike(ctx, post)],
    ["updateProfile", (ctx, own) => updateProfile(ctx, own.user, { bio: "Late." })],
    ["uploadProfilePhoto", (ctx) => uploadProfilePhoto(ctx, receive({}))],
    ["deleteProfile", (ctx, own) => deleteProfile(ctx, own.user)],
    ["createCategory", (ctx) => createCategory(ctx, { title: `Late ${crypto.randomUUID()}` })],
    ["endSession", (ctx, own) => endSession(ctx, own.session)],
  ];

  async function fill(userId: string): Promise<Ids> {
    const { id } = await createWrittenPost(blog.db, { userId });
    const comment = await writeComment(blog.db, { postId: id, userId });
    const session = await blog.db.session.findFirstOrThrow({ where: { userId } });
    return { user: userId, session: session.id, post: id, comment: comment.id };
  }

  beforeAll(() => makeCategory(blog.db, "Craft"));

  test.each(writes)("%s", async (_name, write) => {
    const [maya, noor] = [await blog.signUp({ isAdmin: true }), await blog.signUp({ isAdmin: true })];
    const [own, others] = [await fill(maya.id), await fill(noor.id)];
    const viewer = { ...(await viewerOf(maya)), isAdmin: true };
    const remove = () => blog.db.user.deleteMany({ where: { id: maya.id } });
    // Once between the reads and the transaction, if any, and once before both.
    const midway = write(ctxOf(blog, { viewer, db: whenWriting(remove) }), own, others);
    await midway.catch((error) => expect(error).toMatchObject(refused));
    await remove();
    await expect(write(ctxOf(blog, { viewer }), own, others)).rejects.toMatchObject(refused);
  });
});

test("an unexpected field in a photo upload is rejected", async () => {
  const maya = await blog.signUp();
  const form = [
    { name: "isAdmin", value: "true" },
    { name: "image", value: image, filename: "me.jpg" },
  ];
  const response = await blog.restForm("POST", "/users/profile/profile-photo-upload", maya.token, form);
  expect([response.status, response.body.message]).toEqual([400, '"isAdmin" is not allowed']);
  expect(await blog.db.user.findUnique({ where: { id: maya.id } })).toMatchObject({ photoId: null });
});

describe("an email is delivered", () => {
  const work = async (services = blog.services) => {
    const sent: string[] = [];
    const deliver = async ({ recipient }: { recipient: string }) => void sent.push(recipient);
    onTestFinished(await startWorker({ url: String(blog.pool.options.connectionString) }, services, deliver));
    return sent;
  };

  test("after its worker died during the delivery", async () => {
    await blog.db.email.deleteMany();
    await blog.pool.query("DELETE FROM graphile_worker._private_jobs");
    await writeEmail(blog.services, "forgotten@example.com");
    await blog.pool.query(`UPDATE graphile_worker._private_jobs
      SET attempts = attempts + 1, locked_by = 'dead', locked_at = now() - interval '5 hours'`);
    const sent = await work();
    await vi.waitFor(() => expect(sent).toContain("forgotten@example.com"), { timeout: 10_000 });
  });

  test("after a database outage during the delivery", async () => {
    let isDown = true;
    const emailTable = new Proxy(blog.db.email, {
      get: (of: any, name) => (isDown ? () => Promise.reject(new Error("ECONNRESET")) : of[name]),
    });
    const db = new Proxy(blog.db, {
      get: (of: any, name) => (name === "email" ? emailTable : of[name]),
    }) as Ctx["db"];
    await writeEmail(blog.services, "outage@example.com");
    const sent = await work({ ...blog.services, db });
    await new Promise((done) => setTimeout(done, 1_500));
    isDown = false;
    await vi.waitFor(() => expect(sent).toContain("outage@example.com"), { timeout: 15_000 });
  });
});

test("a delivered email no longer contains its link", async () => {
  const { email } = await createAccount(blog);
  await requestPasswordReset(ctxOf(blog), { email });
  const { token } = await linkTo(blog, email, "reset");
  const parts = { ...blog.services, mail: { ...blog.services.mail, isLocalOutbox: false } };
  onTestFinished(
    await startWorker({ url: String(blog.pool.options.connectionString) }, parts, async () => undefined),
  );
  await vi.waitFor(async () => expect(await emailsTo(blog, email)).not.toMatchObject([{ sentAt: null }]), {
    timeout: 5_000,
  });
  expect(JSON.stringify(await emailsTo(blog, email))).not.toContain(token);
});

test("the registration's email counts towards the limit of five verification emails", async () => {
  const email = "quota@example.com";
  const call = callerOf(blog);
  await call("POST", "/auth/register", { username: "Quota", email, password: PASSWORD });
  for (let time = 0; time < 6; time++) await call("POST", "/auth/login", { email, password: PASSWORD });
  expect(await emailKindsTo(blog, email)).toEqual(Array(5).fill("verify"));
});
