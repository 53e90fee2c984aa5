import { createHash } from "node:crypto";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import { hashPassword } from "../domain/accounts/passwords.ts";
import { PASSWORD, startTestApp, type TestResponse, type TestApp } from "./app.ts";
import { blankPicture, createPost, createTag, createUser } from "./factories.ts";
import type { FormPart } from "./forms.ts";
import { replacePictures, storedFiles } from "./stored-files.ts";

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const timeOf = (n: number) => new Date(Date.UTC(2020, 0, n));

/** The seed of both blogs. Maya is the author, Noor another user, Ada an admin. */
export const ids = {
  ...{ maya: idOf(1), noor: idOf(2), ada: idOf(3), unverified: idOf(4) },
  ...{ post: idOf(11), liked: idOf(12), noors: idOf(13), old: idOf(14) },
  ...{ comment: idOf(21), noorsComment: idOf(22), craft: idOf(31), food: idOf(32) },
  /** Maya's. */
  session: idOf(41),
  /** Maya's, of a new post. */
  draft: idOf(51),
  /** Maya's, empty and without a preview link. */
  unshared: idOf(52),
  picture: idOf(151),
  /** Of Maya's liked post. */
  revision: idOf(61),
  /** Of the same post, in this order. */
  ...{ slate: idOf(71), roofs: idOf(72) },
  ...{ nobody: "00000000-0000-0000-0000-000000000000", malformed: "12-34" },
};

/** Of the preview link of Maya's draft. */
export const previewToken = "preview-".padEnd(43, "x");

/** Bearer tokens; `expired` is a year-old one of Maya. */
export const tokens = {
  maya: "token-m",
  noor: "token-n",
  ada: "token-a",
  expired: "token-e",
  bad: "undefined",
};
export type Who = keyof typeof tokens;

export type ParityCall = {
  as?: Who;
  graphql: { query: string; variables?: Record<string, unknown>; file?: Buffer; path?: string };
  rest: { method: string; path: string; body?: object; form?: FormPart[] };
};

let hash: Promise<string> | undefined;

/** Two equal blogs on two databases: one receives GraphQL requests, the other REST. */
export async function startAppPair() {
  const [left, right] = [await startTestApp(), await startTestApp()];
  return {
    async call(call: ParityCall) {
      await Promise.all([seed(left), seed(right)]);
      const before = await contentsOf(left);
      const { inGraphql, inRest } = await sendToBoth(left, right, call);
      return {
        graphql: plain(inGraphql),
        rest: plain(inRest),
        before,
        after: { graphql: await contentsOf(left), rest: await contentsOf(right) },
      };
    },
  };
}

/** Sends a request in GraphQL to `left` and in REST to `right`. */
export async function sendToBoth(left: TestApp, right: TestApp, { as, graphql, rest }: ParityCall) {
  const token = as ? tokens[as] : null;
  return {
    inGraphql: await sendInGraphql(left, graphql, token),
    inRest: await sendInRest(right, rest, token),
  };
}

export const sendInGraphql = (
  blog: TestApp,
  { query, variables = {}, file, path = "variables.image" }: ParityCall["graphql"],
  token: string | null,
): Promise<TestResponse> =>
  file ? blog.gqlUpload({ query, variables, file, path }, token) : blog.gql(query, variables, token);

export const sendInRest = (
  blog: TestApp,
  { method, path, body, form }: ParityCall["rest"],
  token: string | null,
): Promise<TestResponse> =>
  form ? blog.restForm(method, path, token, form) : blog.rest(method, path, token, body);

export async function seed(blog: TestApp): Promise<void> {
  const pictures = [11, 12, 13, 14, 51].map((n) => idOf(n + 100));
  await replacePictures(blog.files, pictures);
  const passwordHash = await (hash ??= hashPassword(PASSWORD));
  // One transaction, because every commit waits for the disk.
  await blog.db.$transaction((tx) => writeRows(tx, passwordHash));
}

async function writeRows(db: Prisma.TransactionClient, passwordHash: string): Promise<void> {
  await db.user.deleteMany();
  await db.picture.deleteMany();
  await db.category.deleteMany();
  await db.tag.deleteMany();
  const person = (n: number, username: string, traits = {}) =>
    createUser(db, {
      ...{ id: idOf(n), username, passwordHash, bio: `I am ${username}.` },
      ...{ createdAt: timeOf(n), updatedAt: timeOf(n), verifiedAt: timeOf(n), ...traits },
    });
  await person(1, "Maya");
  await person(2, "Noor");
  await person(3, "Ada", { isAdmin: true });
  await person(4, "Una", { verifiedAt: null });
  const write = (n: number, userId: string, category = "Craft") =>
    createPost(db, {
      ...{ id: idOf(n), title: `Post ${n}`, userId, category, createdAt: timeOf(n), updatedAt: timeOf(n) },
      image: { ...blankPicture(), id: idOf(n + 100) },
    });
  await write(11, ids.maya);
  await write(12, ids.maya, "Food");
  await write(13, ids.noor);
  await write(14, ids.noor, "Gone");
  for (const userId of [ids.noor, ids.maya])
    await db.like.create({
      data: { postId: ids.liked, userId, createdAt: timeOf(userId === ids.noor ? 15 : 16) },
    });
  for (const [n, userId, postId] of [
    [21, ids.maya, ids.post],
    [22, ids.noor, ids.liked],
  ] as const)
    await db.comment.create({
      data: {
        id: idOf(n),
        postId,
        userId,
        text: `Said ${n}`,
        createdAt: timeOf(n),
        updatedAt: timeOf(n),
      },
    });
  for (const [n, title] of [
    [31, "Craft"],
    [32, "Food"],
  ] as const)
    await db.category.create({
      data: { id: idOf(n), title, titleKey: title.toLowerCase(), createdAt: timeOf(n), updatedAt: timeOf(n) },
    });
  for (const [n, name] of [
    [71, "Slate"],
    [72, "Roofs"],
  ] as const)
    await createTag(db, { id: idOf(n), name, createdAt: timeOf(n) }, [ids.liked], n - 70);
  const time = { createdAt: timeOf(51), updatedAt: timeOf(51) };
  const earlier = { title: "Post of before", description: "A text of before.", category: "Craft" };
  await db.revision.create({
    data: { ...earlier, id: ids.revision, postId: ids.liked, userId: ids.maya, createdAt: timeOf(10) },
  });
  const picture = { ...blankPicture(), id: ids.picture, createdAt: timeOf(51) };
  await db.upload.create({
    data: { alt: "A wall", user: { connect: { id: ids.maya } }, picture: { create: picture } },
  });
  const draft = { title: "On moss", description: "It grows where it is left alone.", category: "Craft" };
  await db.draft.create({
    data: { ...draft, ...time, id: ids.draft, userId: ids.maya, pictureId: ids.picture },
  });
  await db.draft.create({ data: { ...time, id: ids.unshared, userId: ids.maya } });
  await db.previewLink.create({ data: { draftId: ids.draft, token: previewToken } });
  const open = (n: number, token: string, userId: string, seen = new Date()) =>
    db.session.create({
      data: {
        id: idOf(n),
        tokenHash: createHash("sha256").update(token).digest(),
        userId,
        createdAt: seen,
        lastSeenAt: seen,
      },
    });
  await open(41, tokens.maya, ids.maya);
  await open(42, tokens.noor, ids.noor);
  await open(43, tokens.ada, ids.ada);
  await open(44, tokens.expired, ids.maya, new Date(Date.now() - 365 * 24 * 60 * 60 * 1000));
}

const TABLES = [
  "User",
  "Post",
  "Picture",
  "Like",
  "Bookmark",
  "Follow",
  "Comment",
  "Category",
  "Session",
  "Draft",
  "Upload",
  "Revision",
  "Tag",
  "PostTag",
];

/** Every row and file, except for values that differ on every run. */
async function contentsOf({ pool, files }: TestApp) {
  await finishDeferredWork();
  const contents: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await pool.query(`SELECT * FROM "${table}" ORDER BY 1, 2`);
    contents[table] = rows.map(({ tokenHash: _, ...row }: Record<string, unknown>) => row);
  }
  contents["files"] = await storedFiles(files);
  return normalize(contents);
}

const plain = ({ status, body }: TestResponse) => ({ status, body: normalize(body) });

/** Replaces generated ids and timestamps, which differ on every run. */
function normalize(value: unknown): any {
  const text = JSON.stringify(value ?? null)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (id.startsWith("00000000") ? id : "new"))
    .replace(/[0-9a-f]{2}\/new/g, "new")
    .replace(/"20(?!20)\d\d-\d\d-\d\dT[^"]*"/g, '"now"')
    .replace(/"token":"[^"]*"/g, '"token":"secret"');
  return JSON.parse(text) as unknown;
}
