import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { hashToken, newToken } from "../domain/accounts/tokens.ts";
import { callerOf, createAccount, emailKindsTo, linkTo } from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestResponse, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost, createUser } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

// ROUNDS=10 runs more rounds.

const ROUNDS = Number(process.env["ROUNDS"] ?? 2);
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
const image = { name: "image", value: await makePicture("png", 8, 8), filename: "a.png" };

let blog: TestApp;
let people: { id: string; token: string }[];
beforeAll(async () => {
  blog = await startTestApp();
  await createCategory(blog.db, "Craft");
});
beforeEach(async () => {
  await blog.db.user.deleteMany();
  await blog.db.picture.deleteMany();
  for (const shard of await readdir(blog.mediaFolder))
    await rm(join(blog.mediaFolder, shard), { recursive: true });
  people = await many(20, signUpFast);
});

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Signs up without the slow hash of a password. */
async function signUpFast() {
  const [user, token] = [await createUser(blog.db), newToken()];
  await blog.db.session.create({ data: { userId: user.id, tokenHash: hashToken(token) } });
  return { id: user.id, token };
}

/** Logged at once, too, for long runs. */
const violations: string[] = [];
function demand(holds: boolean, what: string): void {
  if (holds) return;
  violations.push(what);
  console.info(`violation: ${what}`);
}
const expectNoViolations = () => expect(violations.splice(0)).toEqual([]);

const tally = (responses: TestResponse[], status: number) =>
  responses.filter((each) => each.status === status).length;
const demandStatuses = (responses: TestResponse[], allowed: number[]) =>
  responses.forEach(({ status, text }) =>
    demand(allowed.includes(status), `an answer of ${status}: ${text}`),
  );

/** Every picture has an owner and its files, and there are no other files. */
async function demandWholePictures() {
  const rows = await blog.db.picture.findMany({ include: { post: true, user: true } });
  demand(!rows.some((row) => !row.post && !row.user), "a picture that belongs to nothing");
  const shards = await readdir(blog.mediaFolder);
  const stored = (await Promise.all(shards.map((shard) => readdir(join(blog.mediaFolder, shard))))).flat();
  const ownedIds = rows.map((row) => row.id);
  demand(!stored.some((id) => !ownedIds.includes(id)), "files of a picture that is gone");
  return { ownedIds, stored };
}

const writePost = (token: string) =>
  blog.restForm("POST", "/posts", token, [
    image,
    ...Object.entries({ title: "At once", description: "Long enough to be read.", category: "Craft" }).map(
      ([name, value]) => ({ name, value }),
    ),
  ]);

test.each(rounds)("concurrent toggles of likes by twenty people are all applied (round %i)", async () => {
  const post = await createPost(blog.db, { userId: people[0]!.id });
  const toggles = people.map((person) => ({ ...person, times: 1 + Math.floor(Math.random() * 6) }));
  await Promise.all(
    toggles.map(async ({ id, token, times }) => {
      const responses = await many(times, () => blog.rest("PUT", `/posts/like/${post.id}`, token));
      demandStatuses(responses, [200]);
      const liked = responses.filter(({ body }) => body.likes.includes(id)).length;
      demand(liked === Math.ceil(times / 2), `${liked} of ${times} toggles say that it is liked now`);
    }),
  );
  const likes = await blog.db.like.findMany({ where: { postId: post.id } });
  for (const { id, times } of toggles)
    demand(likes.some((like) => like.userId === id) === (times % 2 === 1), `${times} toggles`);
  expectNoViolations();
});

test.each(rounds)(
  "concurrent registrations of one name or address create one account (round %i)",
  async (round) => {
    const open = (username: string, email: string) =>
      callerOf(blog)("POST", "/auth/register", { username, email, password: PASSWORD });
    const oneName = await many(10, (n) => open(n % 2 ? "Ines" : "INES ", `ines${n}.${round}@example.com`));
    demandStatuses(oneName, [201, 409]);
    demand(tally(oneName, 201) === 1, `${tally(oneName, 201)} accounts of one name`);
    const address = `one.${round}@example.com`;
    const oneAddress = await many(10, (n) => open(`Ida ${n}`, n % 2 ? address : address.toUpperCase()));
    demandStatuses(oneAddress, [201]);
    demand((await blog.db.user.count({ where: { email: address } })) === 1, "not one account of an address");
    const kinds = await emailKindsTo(blog, address);
    demand(kinds.filter((kind) => kind === "verify").length === 1, `emails: ${kinds.join()}`);
    demand(kinds.length <= 20, `${kinds.length} emails to one address`);
    // Pending registrations reserve their names for a week.
    await blog.db.pendingRegistration.deleteMany();
    const responses = await many(5, () => open("Twin", `twin.${round}@example.com`));
    demandStatuses(responses, [201, 409]);
    demand((await blog.db.user.count({ where: { usernameKey: "twin" } })) === 1, "not one twin");
    await blog.db.pendingRegistration.deleteMany();
    expectNoViolations();
  },
);

test.each(rounds)("one of twenty concurrent requests for a new name gets it (round %i)", async () => {
  const responses = await many(20, (n) =>
    blog.rest("PUT", `/users/profile/${people[n]!.id}`, people[n]!.token, { username: "The one" }),
  );
  demandStatuses(responses, [200, 409]);
  demand(tally(responses, 200) === 1, `${tally(responses, 200)} got the name`);
  expectNoViolations();
});

test.each(rounds)("a post is deleted completely during concurrent writes (round %i)", async () => {
  const [author, ...others] = people;
  const { _id: id } = (await writePost(author!.token)).body;
  const own = (method: string, path: string, body?: object) => blog.rest(method, path, author!.token, body);
  const responses = await Promise.all([
    ...others.map(({ token }) => blog.rest("PUT", `/posts/like/${id}`, token)),
    ...others.map(({ token }) => blog.rest("POST", "/comments", token, { postId: id, text: "Yes." })),
    ...[1, 2, 3].map((n) => own("PUT", `/posts/${id}`, { title: `Renamed ${n}` })),
    ...[1, 2, 3].map(() => blog.restForm("PUT", `/posts/update-image/${id}`, author!.token, [image])),
    ...[1, 2, 3].map(() => own("DELETE", `/posts/${id}`)),
    ...[1, 2, 3].map(() => own("GET", `/posts/${id}`)),
    ...[1, 2, 3].map(() => own("GET", "/posts?pageNumber=1")),
  ]);
  demandStatuses(responses, [200, 201, 404]);
  demand((await blog.db.post.count({ where: { id } })) === 0, "a post that outlived its deletion");
  const deleted = responses.filter(({ body }) => body?.postId === id && body?.message).length;
  demand(deleted === 1, `${deleted} deletions of one post`);
  await demandWholePictures();
  expectNoViolations();
});

test.each(rounds)("a comment is deleted once during concurrent edits (round %i)", async () => {
  const { id: userId, token } = people[0]!;
  const post = await createPost(blog.db, { userId });
  const { id } = await createComment(blog.db, { postId: post.id, userId });
  const path = `/comments/${id}`;
  const edits = many(10, (n) => blog.rest("PUT", path, token, { text: `Edit ${n}` }));
  const deletions = many(5, () => blog.rest("DELETE", path, token));
  const responses = (await Promise.all([edits, deletions])).flat();
  demandStatuses(responses, [200, 404]);
  demand((await blog.db.comment.count({ where: { id } })) === 0, "a comment that outlived its deletion");
  const gone = tally(await deletions, 200);
  demand(gone === 1, `${gone} deletions of one comment`);
  expectNoViolations();
});

test.each(rounds)("an account is deleted completely during its own requests (round %i)", async () => {
  const { id, token, email } = await blog.signUp();
  const { _id: postId } = (await writePost(people[1]!.token)).body;
  const requestsOf = (n: number): Promise<TestResponse>[] => [
    writePost(token),
    blog.restForm("POST", "/users/profile/profile-photo-upload", token, [image]),
    blog.rest("POST", "/comments", token, { postId, text: "Still here." }),
    blog.rest("PUT", `/posts/like/${postId}`, token),
    blog.rest("PUT", `/users/profile/${id}`, token, { bio: `Round ${n}` }),
    blog.rest("GET", `/users/profile/${id}`, token),
    callerOf(blog)("POST", "/auth/login", { email, password: PASSWORD }),
  ];
  const before = [1, 2, 3].flatMap(requestsOf);
  const deletions = [1, 2, 3].map(() => blog.rest("DELETE", `/users/profile/${id}`, token));
  const responses = await Promise.all([...before, ...deletions, ...[4, 5, 6].flatMap(requestsOf)]);
  // 400 from a login, 404 from the profile; a write succeeds, or gets 401 after the deletion.
  demandStatuses(responses, [200, 201, 400, 401, 404]);
  const isWrite = (_: unknown, index: number) => ![5, 6].includes(index % 7);
  demandStatuses((await Promise.all(before)).filter(isWrite), [200, 201, 401]);
  demandStatuses(await Promise.all(deletions), [200, 401]);
  const gone = tally(await Promise.all(deletions), 200);
  demand(gone === 1, `${gone} deletions of one account`);
  demand((await blog.db.user.count({ where: { id } })) === 0, "an account that outlived its deletion");
  await demandWholePictures();
  expectNoViolations();
});

test.each(rounds)("an account is deleted completely during writes to its own posts (round %i)", async () => {
  const { id, token } = people[0]!;
  const posts = await many(4, () => createPost(blog.db, { userId: id }));
  const pathsOf = (postId: string): Promise<TestResponse>[] => [
    blog.rest("POST", "/comments", token, { postId, text: "Still here." }),
    blog.rest("PUT", `/posts/like/${postId}`, token),
    blog.gql(`mutation { likePost(id: "${postId}") { id } }`, {}, token),
    blog.rest("PUT", `/posts/${postId}`, token, { title: "Renamed" }),
  ];
  const writes = () => many(3, () => Promise.all(posts.flatMap((post) => pathsOf(post.id))));
  const before = writes();
  const deletion = blog.rest("DELETE", `/users/profile/${id}`, token);
  const responses = (await Promise.all([before, writes()])).flat(2);
  demandStatuses(responses, [200, 201, 401]);
  demandStatuses([await deletion], [200]);
  demand((await blog.db.user.count({ where: { id } })) === 0, "an account that outlived its deletion");
  expectNoViolations();
});

test.each(rounds)(
  "an account is deleted completely during requests for its emails and links (round %i)",
  async () => {
    const owner = await blog.signUp();
    const unverified = await createAccount(blog, { verifiedAt: null });
    const mail = (email: string) => callerOf(blog)("POST", "/password/reset-password-link", { email });
    await Promise.all([mail(owner.email), mail(unverified.email)]);
    const { api } = await linkTo(blog, owner.email, "reset");
    const admin = await blog.signUp({ isAdmin: true });
    const responses = await Promise.all([
      ...[1, 2, 3].map(() => mail(owner.email)),
      ...[1, 2, 3].map(() => mail(unverified.email)),
      ...[1, 2, 3].map((n) => callerOf(blog)("POST", api, { password: `the new secret of number ${n}` })),
      ...[1, 2, 3].map(() =>
        callerOf(blog)("POST", "/auth/login", { email: unverified.email, password: PASSWORD }),
      ),
      ...[owner, unverified].map(({ id }) => blog.rest("DELETE", `/users/profile/${id}`, admin.token)),
    ]);
    demandStatuses(responses, [200, 400, 401, 404]);
    await finishDeferredWork();
    demand((await blog.db.mailToken.count()) === 0, "a link that outlived its account");
    expectNoViolations();
  },
);

test.each(rounds)("a reset link works for one of ten concurrent uses (round %i)", async () => {
  const { email } = await createAccount(blog);
  await callerOf(blog)("POST", "/password/reset-password-link", { email });
  const { api } = await linkTo(blog, email, "reset");
  const passwords = Array.from({ length: 10 }, (_, n) => `the new secret of number ${n}`);
  const responses = await many(10, (n) => callerOf(blog)("POST", api, { password: passwords[n] }));
  demandStatuses(responses, [200, 400]);
  demand(tally(responses, 200) === 1, `${tally(responses, 200)} resets by one link`);
  const chosen = passwords[responses.findIndex(({ status }) => status === 200)];
  const logins = await many(10, (n) =>
    callerOf(blog)("POST", "/auth/login", { email, password: passwords[n] }),
  );
  demand(tally(logins, 200) === 1, "not one password counts");
  demand(
    logins[passwords.indexOf(chosen ?? "")]?.status === 200,
    "another password than the acknowledged one",
  );
  expectNoViolations();
});

test.each(rounds)("one admin remains when all delete each other and themselves (round %i)", async () => {
  await blog.db.user.updateMany({ data: { isAdmin: false } });
  const admins = await many(3, () => blog.signUp({ isAdmin: true }));
  const responses = await Promise.all(
    admins.flatMap(({ token }) => admins.map(({ id }) => blog.rest("DELETE", `/users/profile/${id}`, token))),
  );
  demandStatuses(responses, [200, 401, 404, 409]);
  const left = await blog.db.user.count({ where: { isAdmin: true } });
  demand(left === 1 && tally(responses, 200) === 2, `${left} admins left`);
  expectNoViolations();
});

test.each(rounds)("a category is created once and deleted once (round %i)", async (round) => {
  const { token } = await blog.signUp({ isAdmin: true });
  const titles = [`Stone ${round}`, `STONE ${round}`, ` stone ${round}`];
  const made = await many(12, (n) => blog.rest("POST", "/categories", token, { title: titles[n % 3] }));
  demandStatuses(made, [201, 409]);
  demand(tally(made, 201) === 1, `${tally(made, 201)} categories of one title`);
  const { _id: id } = made.find(({ status }) => status === 201)!.body;
  const deleted = await many(5, () => blog.rest("DELETE", `/categories/${id}`, token));
  demandStatuses(deleted, [200, 404]);
  demand(tally(deleted, 200) === 1, `${tally(deleted, 200)} deletions of one category`);
  expectNoViolations();
});
