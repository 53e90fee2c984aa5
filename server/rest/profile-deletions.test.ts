import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { removeClosedAccounts } from "../domain/accounts/closed-accounts.ts";
import { removeExpired } from "../domain/retention.ts";
import { callerOf, createAccount, emailKindsTo, emailsTo } from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createLike, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

type Person = Awaited<ReturnType<TestApp["signUp"]>>;

let blog: TestApp;
let ada: Person;
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  // Otherwise ten posts, or thirty comments, take a second.
  Object.assign(blog.services, { rateLimitsEnabled: false });
  await createCategory(blog.db, "Craft");
});
beforeEach(async () => {
  await blog.db.post.deleteMany();
  await blog.db.picture.deleteMany();
  await blog.db.user.updateMany({ data: { isAdmin: false } });
  ada = await blog.signUp({ isAdmin: true });
});

const remove = (id: string, token: string | null) => blog.rest("DELETE", `/users/profile/${id}`, token);
const exists = async (id: string) => (await blog.db.user.count({ where: { id } })) === 1;
const deleted = { status: 200, body: { message: "your profile has been deleted" } };
const nobody = "00000000-0000-0000-0000-000000000000";

async function onDisk(): Promise<string[]> {
  const shards = await readdir(blog.mediaFolder);
  return (await Promise.all(shards.map((shard) => readdir(join(blog.mediaFolder, shard))))).flat();
}

const image = { name: "image", value: picture, filename: "a.jpg" };
const text = { title: "On slate", description: "It splits where it was laid down.", category: "Craft" };

/** Posts with a picture each, without files. */
const writePosts = (userId: string, count: number) =>
  blog.pool.query(
    `WITH made AS (INSERT INTO "Picture" (id, width, height, widths, placeholder)
       SELECT gen_random_uuid(), 64, 48, '{64}', '' FROM generate_series(1, $2::int) RETURNING id)
     INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
       SELECT gen_random_uuid(), 'A wall', 'Of slate.', 'Craft', $1, id, now(), now() FROM made`,
    [userId, count],
  );

const writeComments = (postId: string, userId: string, count: number) =>
  blog.pool.query(
    `INSERT INTO "Comment" (id, text, "postId", "userId", "updatedAt")
     SELECT gen_random_uuid(), 'Well said.', $1::uuid, $2::uuid, now() FROM generate_series(1, $3::int)`,
    [postId, userId, count],
  );

async function signUpWithContent(): Promise<Person> {
  const person = await blog.signUp();
  const fields = Object.entries(text).map(([name, value]) => ({ name, value }));
  await blog.restForm("POST", "/posts", person.token, [...fields, image]);
  await blog.restForm("POST", "/users/profile/profile-photo-upload", person.token, [image]);
  return person;
}

describe("deleting an account", () => {
  test("deletes a thousand posts in several transactions, of which none keeps others waiting", async () => {
    const maya = await signUpWithContent();
    await writePosts(maya.id, 1_100);
    const transactions = vi.spyOn(blog.db, "$transaction");
    expect(await remove(maya.id, maya.token)).toMatchObject(deleted);
    expect(transactions).toHaveBeenCalledTimes(1 + 6 + 1);
    transactions.mockRestore();
    expect([await exists(maya.id), await blog.db.post.count(), await blog.db.picture.count()]).toEqual([
      ...[false, 0, 0],
    ]);
  });

  test("deletes nothing if the email about it cannot be written", async () => {
    const maya = await signUpWithContent();
    const files = (await onDisk()).length;
    vi.spyOn(blog.services.mail, "write").mockRejectedValueOnce(new Error("lost"));
    expect((await remove(maya.id, maya.token)).status).toBe(500);
    expect([await blog.db.post.count(), (await onDisk()).length]).toEqual([1, files]);
    expect(await remove(maya.id, maya.token)).toMatchObject(deleted);
    expect(await onDisk()).toHaveLength(files - 2);
  });

  test("R30B: a job goes on with what fails later, and leaves no file", async () => {
    const files = (await onDisk()).length;
    const maya = await signUpWithContent();
    const login = { email: maya.email, password: PASSWORD };
    const { deleteUnusedPictures } = blog.services.writes;
    blog.services.writes.deleteUnusedPictures = () => Promise.reject(new Error("lost"));
    expect(await remove(maya.id, maya.token)).toMatchObject(deleted);
    expect([await blog.db.post.count(), (await onDisk()).length]).toEqual([1, files + 2]);
    expect((await remove(maya.id, maya.token)).status).toBe(401);
    expect((await callerOf(blog)("POST", "/auth/login", login)).status).toBe(400);
    expect((await remove(maya.id, ada.token)).status).toBe(404);

    expect(await removeClosedAccounts(blog.services)).toBe(false);
    const later = { ...blog.services, now: () => new Date(Date.now() + 60_000) };
    await expect(removeClosedAccounts(later)).rejects.toThrow("lost");
    later.writes.deleteUnusedPictures = deleteUnusedPictures;
    expect(await removeClosedAccounts(later)).toBe(true);
    expect([await exists(maya.id), (await onDisk()).length]).toEqual([false, files]);
    expect(await removeClosedAccounts(later)).toBe(false);
    expect(await emailKindsTo(blog, maya.email)).toEqual(["accountDeleted"]);
  });

  test("deletes ten thousand comments in several transactions, and so does deleting their post", async () => {
    const [maya, noor] = [await signUpWithContent(), await blog.signUp()];
    const [mine] = await blog.db.post.findMany({ where: { userId: maya.id } });
    const yours = await createPost(blog.db, { userId: noor.id });
    await writeComments(yours.id, maya.id, 10_100);
    await writeComments(mine!.id, noor.id, 5_100);
    await writeComments(yours.id, noor.id, 5_200);
    const statements = vi.spyOn(blog.db.comment, "deleteMany");
    expect(await remove(maya.id, maya.token)).toMatchObject(deleted);
    expect(statements).toHaveBeenCalledTimes(6 + 11);
    statements.mockRestore();
    expect(await blog.db.comment.count()).toBe(5_200);
    const transactions = vi.spyOn(blog.db, "$transaction");
    expect((await blog.rest("DELETE", `/posts/${yours.id}`, noor.token)).status).toBe(200);
    expect(transactions).toHaveBeenCalledTimes(5 + 1);
    transactions.mockRestore();
    expect(await blog.db.comment.count()).toBe(0);
  });

  test("R29B: goes on when its session ends after the first transaction, and so does deleting a post", async () => {
    const [maya, noor] = [await blog.signUp(), await blog.signUp()];
    await blog.pool.query(`
      CREATE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM "Session"; RETURN NULL; END $$;
      CREATE TRIGGER end_sessions AFTER DELETE ON "Comment" FOR EACH STATEMENT EXECUTE FUNCTION end_sessions()`);
    const { id } = await createPost(blog.db, { userId: maya.id });
    await writeComments(id, noor.id, 10_100);
    expect((await blog.rest("DELETE", `/posts/${id}`, maya.token)).status).toBe(200);
    expect([await blog.db.post.count({ where: { id } }), await blog.db.session.count()]).toEqual([0, 0]);

    const again = await blog.signUp();
    const yours = await createPost(blog.db, { userId: noor.id });
    await writeComments(yours.id, again.id, 10_100);
    expect(await remove(again.id, again.token)).toMatchObject(deleted);
    expect([await exists(again.id), await blog.db.comment.count()]).toEqual([false, 0]);
    await blog.pool.query('DROP TRIGGER end_sessions ON "Comment"; DROP FUNCTION end_sessions');
  });

  test("R27B: deletes long histories in several transactions, and so does deleting their post", async () => {
    const maya = await blog.signUp();
    const posts = [
      await createPost(blog.db, { userId: maya.id }),
      await createPost(blog.db, { userId: maya.id }),
    ];
    const state = { userId: maya.id, title: "On slate", description: "It splits.", category: "Craft" };
    const history = (postId: string) =>
      Array.from({ length: 150 }, () => ({ ...state, postId, createdAt: new Date() }));
    await blog.db.revision.createMany({ data: posts.flatMap(({ id }) => history(id)) });
    const transactions = vi.spyOn(blog.db, "$transaction");
    expect((await blog.rest("DELETE", `/posts/${posts[0]!.id}`, maya.token)).status).toBe(200);
    expect(transactions).toHaveBeenCalledTimes(1 + 1);
    expect(await blog.db.revision.count()).toBe(150);
    transactions.mockRestore();
    const statements = vi.spyOn(blog.db.revision, "deleteMany");
    expect(await remove(maya.id, maya.token)).toMatchObject(deleted);
    expect(statements).toHaveBeenCalledTimes(2 + 1);
    statements.mockRestore();
    expect(await blog.db.revision.count()).toBe(0);
  });

  test("R28B: deletes the posts stored for repeated requests in several transactions, and so does the hourly job", async () => {
    const [maya, noor] = [await blog.signUp(), await blog.signUp()];
    const stored = { hash: "hash", answer: "{}", claimedAt: new Date(), createdAt: new Date(0) };
    const keysOf = (userId: string) =>
      Array.from({ length: 250 }, (_, n) => ({ ...stored, userId, key: `key ${n}` }));
    await blog.db.idempotencyKey.createMany({ data: [maya, noor].flatMap(({ id }) => keysOf(id)) });
    const statements = vi.spyOn(blog.db.idempotencyKey, "deleteMany");
    expect(await remove(maya.id, maya.token)).toMatchObject(deleted);
    expect(statements).toHaveBeenCalledTimes(3 + 1);
    expect(await blog.db.idempotencyKey.count()).toBe(250);
    statements.mockClear();
    await removeExpired(blog.services);
    expect(statements).toHaveBeenCalledTimes(3);
    statements.mockRestore();
    expect(await blog.db.idempotencyKey.count()).toBe(0);
  });

  test("keeps all posts of the last admin, however many they are", async () => {
    await writePosts(ada.id, 500);
    expect((await remove(ada.id, ada.token)).status).toBe(409);
    expect(await blog.db.post.count({ where: { userId: ada.id } })).toBe(500);
  });

  test.each(["its owner", "an admin"])("deletes all its content, for %s", async (who) => {
    const maya = await signUpWithContent();
    const noor = await blog.signUp();
    const [mine] = await blog.db.post.findMany({ where: { userId: maya.id } });
    const yours = await createPost(blog.db, { userId: noor.id });
    await createComment(blog.db, { postId: yours.id, userId: maya.id });
    await createComment(blog.db, { postId: mine?.id ?? "", userId: noor.id });
    const noors = await createComment(blog.db, { postId: yours.id, userId: noor.id });
    for (const postId of [yours.id, mine?.id ?? ""])
      for (const userId of [maya.id, noor.id]) await createLike(blog.db, { postId, userId });
    await blog.rest("POST", "/password/reset-password-link", null, { email: maya.email });
    expect(await onDisk()).toHaveLength(2);

    const { status, body } = await remove(maya.id, who === "an admin" ? ada.token : maya.token);
    expect({ status, body }).toEqual(deleted);

    const userId = maya.id;
    expect(await exists(userId)).toBe(false);
    expect(await blog.db.post.findMany()).toMatchObject([{ id: yours.id }]);
    expect(await blog.db.comment.findMany()).toMatchObject([{ id: noors.id }]);
    expect(await blog.db.like.findMany()).toMatchObject([{ postId: yours.id, userId: noor.id }]);
    expect(await blog.db.session.count({ where: { userId } })).toBe(0);
    expect(await blog.db.mailToken.count({ where: { userId } })).toBe(0);
    expect(await blog.db.picture.findMany()).toMatchObject([{ id: yours.imageId }]);
    expect(await onDisk()).toEqual([]);
  });

  test("ends its session at once, and frees its name and address", async () => {
    const maya = await blog.signUp({ username: "Leaving", email: "leaving@example.com" });
    await remove(maya.id, maya.token);
    const stale = await remove(maya.id, maya.token);
    expect([stale.status, stale.body.message]).toEqual([401, "invalid token, access denied"]);
    const login = { email: maya.email, password: PASSWORD };
    expect((await callerOf(blog)("POST", "/auth/login", login)).status).toBe(400);
    expect((await blog.rest("GET", `/users/profile/${maya.id}`)).status).toBe(404);
    const again = await callerOf(blog)("POST", "/auth/register", { username: "LEAVING", ...login });
    expect(again.status).toBe(201);
    expect(await emailKindsTo(blog, maya.email)).toEqual(["accountDeleted", "verify"]);
  });

  test("notifies its owner by email, also of a deletion by an admin", async () => {
    const [maya, noor] = [await blog.signUp(), await blog.signUp()];
    await remove(maya.id, maya.token);
    await remove(noor.id, ada.token);
    for (const person of [maya, noor])
      expect(await emailsTo(blog, person.email)).toMatchObject([
        { kind: "accountDeleted", subject: "Your account at Blog was deleted" },
      ]);
    expect(await emailKindsTo(blog, ada.email)).toEqual([]);
  });

  test("keeps the categories that an admin created", async () => {
    const second = await blog.signUp({ isAdmin: true });
    const { body } = await blog.rest("POST", "/categories", second.token, { title: "Left behind" });
    await remove(second.id, second.token);
    const category = await blog.db.category.findUnique({ where: { id: body._id } });
    expect(category).toMatchObject({ title: "Left behind", userId: null });
  });
});

describe("deleting an account is refused", () => {
  test("to everybody else, in the contract's order of checks", async () => {
    const [maya, noor] = [await blog.signUp(), await blog.signUp()];
    for (const [id, token, status, message] of [
      ["12-34", null, 401, "no token provided, access denied"],
      ["12-34", "undefined", 401, "invalid token, access denied"],
      ["12-34", noor.token, 400, "invalid id"],
      [nobody, noor.token, 404, "user not found"],
      [maya.id, noor.token, 403, "not allowed, only user himself or admin"],
    ] as const) {
      const response = await remove(id, token);
      expect([response.status, response.body.message]).toEqual([status, message]);
    }
    expect(await exists(maya.id)).toBe(true);
    expect(await emailsTo(blog, maya.email)).toEqual([]);
  });

  test("for the last admin, and deletes nothing", async () => {
    const { body } = await blog.restForm("POST", "/users/profile/profile-photo-upload", ada.token, [image]);
    const refused = await remove(ada.id, ada.token);
    expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
    expect(refused.body.message).toBe("the last admin cannot be deleted");
    expect(await exists(ada.id)).toBe(true);
    expect(await onDisk()).toContain(body.profilePhoto.publicId);
    expect(await emailsTo(blog, ada.email)).toEqual([]);
  });

  test("to one of the last two admins who delete themselves concurrently", async () => {
    const admins = [ada, await blog.signUp({ isAdmin: true })];
    const responses = await Promise.all(admins.map(({ id, token }) => remove(id, token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await blog.db.user.count({ where: { isAdmin: true } })).toBe(1);
  });

  test("to one of the last two admins who delete each other concurrently", async () => {
    const eve = await blog.signUp({ isAdmin: true });
    const responses = await Promise.all([remove(eve.id, ada.token), remove(ada.id, eve.token)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await blog.db.user.count({ where: { isAdmin: true } })).toBe(1);
  });
});

test("an admin can delete an unverified account", async () => {
  const { id } = await createAccount(blog, { verifiedAt: null });
  expect(await remove(id, ada.token)).toMatchObject(deleted);
  expect(await exists(id)).toBe(false);
});
