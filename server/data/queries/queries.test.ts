import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { PostFilter, Profile, Slice } from "../../domain/post-selection.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { blankPicture, createPost, createTag, createUser } from "../../testing/factories.ts";
import { openDatabase } from "../client.ts";
import { afterFile } from "../../testing/cleanup.ts";
import { openQueries } from "./queries.ts";
import type { Queries } from "../../domain/ports.ts";

const POSTS = 640;

let blog: TestApp;
let queries: Queries;
let users: string[];
let posts: string[];
const pick = <T>(from: T[], n: number) => from[n % from.length] as T;
const odds = (of: string[]) => of.filter((_id, n) => n % 2);
const thirds = (of: string[]) => of.filter((_id, n) => n % 3 === 0);
/** Several rows share a time, so that the id breaks the tie. */
const timeOf = (n: number) => new Date(Date.UTC(2024, 0, 1) + Math.floor(n / 3) * 1_234_567);

beforeAll(async () => {
  blog = await startTestApp();
  const { db } = blog;
  const people = [
    await createUser(db, { bio: 'Quote " and \\ and \u2028, Straße 😀', photo: blankPicture() }),
    await createUser(db, { verifiedAt: null }),
    await createUser(db, { isAdmin: true, bio: "" }),
  ];
  users = people.map(({ id }) => id);
  const pictures = Array.from({ length: POSTS }, () => ({ ...blankPicture(), widths: [3, 480] }));
  await db.picture.createMany({ data: pictures });
  const made = pictures.map(({ id: imageId }, n) => ({
    ...{ id: randomUUID(), imageId, userId: pick(users, n * 7), category: n % 5 ? "Craft" : "Rare ' one" },
    ...{
      title: `Post ${n} "x"`,
      description: "Line\nline \t énd".repeat(n % 4 ? 1 : 250),
      createdAt: timeOf(n),
    },
  }));
  await db.post.createMany({ data: made });
  posts = made.map(({ id }) => id);
  await createTag(db, { name: "Third" }, thirds(posts), 1);
  await createTag(db, { name: "Odd" }, odds(posts), 2);
  const some = made.slice(-40);
  await db.like.createMany({
    data: some.flatMap(({ id: postId }, n) =>
      users.slice(0, n % 4).map((userId, m) => ({ postId, userId, createdAt: timeOf(m) })),
    ),
  });
  await db.comment.createMany({
    data: some.flatMap(({ id: postId }, n) =>
      Array.from({ length: n % 8 }, (_, m) => ({
        ...{ postId, userId: pick(users, n + m), text: `Said ${m} "\\` },
        createdAt: timeOf(m),
      })),
    ),
  });
  const database = openDatabase(blog.url, { pool: 4 });
  afterFile(async () => {
    await database.close();
  });
  queries = openQueries(database);
});

const photo = {
  select: {
    id: true,
    width: true,
    height: true,
    widths: true,
    isComplete: true,
    placeholder: true,
    avif: true,
  },
} as const;
const profile = { omit: { passwordHash: true, confusableKey: true }, include: { photo } } as const;
const orderOf = (direction: "asc" | "desc") => [{ createdAt: direction }, { id: direction }];

const beyond = ({ cursor, direction }: Slice) => {
  if (!cursor) return {};
  const past = direction === "asc" ? "gt" : "lt";
  return {
    OR: [
      { createdAt: { [past]: cursor.createdAt } },
      { createdAt: cursor.createdAt, id: { [past]: cursor.id } },
    ],
  };
};
const windowOf = (slice: Slice) => ({
  orderBy: orderOf(slice.direction),
  skip: slice.skip,
  ...(Number.isFinite(slice.take) && { take: slice.take }),
});

async function byPrisma({ category, author, tag }: PostFilter, slice: Slice, comments: Slice) {
  const rows = await blog.db.post.findMany({
    where: {
      ...(category && { category }),
      ...(author && { userId: author }),
      ...(tag && { tags: { some: { tag: { nameKey: tag } } } }),
      ...beyond(slice),
    },
    ...windowOf(slice),
    include: {
      image: photo,
      user: profile,
      likes: { orderBy: [{ createdAt: "asc" }, { userId: "asc" }] },
      comments: { where: beyond(comments), ...windowOf(comments), include: { user: profile } },
      tags: { orderBy: { position: "asc" }, include: { tag: { select: { id: true, name: true } } } },
      _count: { select: { likes: true, comments: true } },
    },
  });
  return rows.map(({ user: author, likes, tags, _count, comments: written, ...post }) => ({
    ...{ ...post, author, tags: tags.map(({ tag }) => tag), likers: likes.map(({ userId }) => userId) },
    ...{ likeCount: _count.likes, commentCount: _count.comments },
    readingMinutes: Math.max(1, Math.round(Buffer.byteLength(post.description) / 1_400)),
    comments: written.map(({ user, ...comment }) => ({ ...comment, author: user })),
  }));
}

const slices = (most: number): fc.Arbitrary<Slice> =>
  fc.record({
    direction: fc.constantFrom("asc" as const, "desc" as const),
    cursor: fc.option(fc.nat(POSTS - 1).map((n) => ({ createdAt: timeOf(n), id: pick(posts, n) }))),
    take: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(Infinity)),
    skip: fc.oneof(fc.constant(0), fc.nat(most)),
  });
const filters = fc.record(
  {
    category: fc.constantFrom("Craft", "Rare ' one", "None"),
    author: fc.nat(2).map((n) => pick(users, n)),
    tag: fc.constantFrom("odd", "third", "none"),
  },
  { requiredKeys: [] },
);

describe("queries return the same as Prisma", () => {
  test("for posts, with any filter, slice and selection", async () => {
    const parts = [
      "description",
      "image",
      "author",
      "likers",
      "likeCount",
      "commentCount",
      "readingMinutes",
      "tags",
      "comments",
    ] as const;
    const always = Object.fromEntries(parts.map((name) => [name, true])) as Record<string, true>;
    const selections = fc.subarray([...parts]);
    const cut = ({ id, username, ...more }: Profile, authorDetail: string) =>
      authorDetail === "summary" ? { id, username } : { id, username, ...more };
    await fc.assert(
      fc.asyncProperty(
        filters,
        slices(POSTS + 9),
        slices(4),
        selections,
        fc.constantFrom("summary", "full"),
        fc.constantFrom("summary", "full"),
        async (filter, slice, comments, names, authorDetail, commentAuthor) => {
          const values = { author: authorDetail, comments: { ...comments, author: commentAuthor } };
          const selection = Object.fromEntries(
            names.map((name) => [name, ({ ...always, ...values } as Record<string, unknown>)[name]]),
          );
          const rows = await byPrisma(filter, slice, comments);
          const expected = rows.map(
            ({ author, comments, draftId: _draft, tagsChangedAt: _tagged, ...row }) => {
              const authors = comments.map((each) => ({ ...each, author: cut(each.author, commentAuthor) }));
              const all = { ...row, author: cut(author, authorDetail), comments: authors };
              const isSelected = (name: string) => !(name in always) || names.includes(name as never);
              return Object.fromEntries(Object.entries(all).filter(([name]) => isSelected(name)));
            },
          );
          expect(await queries.posts(filter, slice, selection)).toEqual(expected);
          const ids = expected.slice(0, 20).map(({ id }) => String(id));
          const found = await queries.postsById([...ids, ...ids, randomUUID()], selection);
          const newestFirst =
            slice.direction === "desc" ? expected.slice(0, 20) : expected.slice(0, 20).reverse();
          expect(found).toEqual(newestFirst);
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  test("for profiles, categories, counts, likers and comments of several parents", async () => {
    const { db } = blog;
    const postIds = [...posts.slice(-12), randomUUID()];
    const everyone = await db.user.findMany({ ...profile });
    expect(await queries.profiles([...users, randomUUID()])).toEqual(
      new Map(everyone.map((each) => [each.id, each])),
    );
    for (const title of ["Craft", "Älter"])
      await db.category.create({ data: { title, titleKey: title, createdAt: timeOf(1) } });
    expect(await queries.categories()).toEqual(await db.category.findMany({ orderBy: orderOf("asc") }));
    expect(await queries.countPosts({ category: "Craft" })).toBe(
      await db.post.count({ where: { category: "Craft" } }),
    );
    const count = (where: object) => db.post.count({ where });
    expect([...(await queries.countPostsIn(["Craft", "None"])).values()]).toEqual([
      await count({ category: "Craft" }),
      0,
    ]);
    const userId = pick(users, 1);
    expect((await queries.countPostsOf(users)).get(userId)).toBe(await count({ userId }));
    const [likers, likes, commentCounts] = [
      await queries.computed("likers", postIds),
      await queries.computed("likeCount", postIds),
      await queries.computed("commentCount", postIds),
    ];
    for (const postId of postIds) {
      const rows = await db.like.findMany({
        where: { postId },
        orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
      });
      expect(likers.get(postId)).toEqual(rows.map((row) => row.userId));
      expect(likes.get(postId)).toBe(rows.length);
      expect(commentCounts.get(postId)).toBe(await db.comment.count({ where: { postId } }));
    }
    const slice: Slice = { direction: "asc", cursor: null, take: 2, skip: 1 };
    const lists = await queries.comments(postIds, slice);
    for (const postId of postIds)
      expect(lists.filter((each) => each.postId === postId)).toEqual(
        await db.comment.findMany({ where: { postId }, ...windowOf(slice) }),
      );
    const written = await queries.postsOf(users, { ...slice, direction: "desc" }, {});
    for (const author of users)
      expect(written.filter((each) => each.userId === author).map(({ id }) => id)).toEqual(
        (
          await db.post.findMany({ where: { userId: author }, ...windowOf({ ...slice, direction: "desc" }) })
        ).map(({ id }) => id),
      );
  });
});

test("deep pages and the counts stay correct while posts are created, changed and deleted in any process", async () => {
  const { db } = blog;
  for (let round = 0; round < 12; round++) {
    // Every other one is three to forty years earlier.
    const when = timeOf(round * 50 * (round % 2 ? 1 : -5_000));
    if (round % 3 === 0) await createPost(db, { userId: pick(users, 0), createdAt: when });
    if (round % 3 === 1) await db.post.deleteMany({ where: { id: pick(posts, round * 37) } });
    if (round % 3 === 2)
      await db.post.update({
        where: { id: pick(posts, round * 41) },
        data: { createdAt: when, category: pick(["Rare ' one", "Moved"], round) },
      });
    const all = await db.post.findMany({ orderBy: orderOf("desc"), select: { id: true } });
    for (const skip of [0, 299, 300, 301, 399, 400, 401, 599, 600, all.length - 1, all.length, 9_999]) {
      const slice: Slice = { direction: "desc", cursor: null, take: 4, skip };
      const page = (await queries.posts({}, slice, {})).map(({ id }) => id);
      expect(page, `from ${skip} on`).toEqual(all.slice(skip, skip + 4).map(({ id }) => id));
    }
    expect(await queries.countPosts({})).toBe(all.length);
    const counted = await db.post.groupBy({ by: ["category"], _count: true });
    const expected = new Map(counted.map(({ category, _count }) => [category, _count]));
    expect(await queries.countPostsIn([...expected.keys()])).toEqual(expected);
    for (const [category, count] of expected) expect(await queries.countPosts({ category })).toBe(count);
  }
}, 60_000);

test("prepared statements survive a migration that widens a column", async () => {
  const slice: Slice = { direction: "desc", cursor: null, take: 3, skip: 0 };
  const before = await queries.posts({}, slice, { author: "full" });
  await blog.pool.query(`ALTER TABLE "User" ALTER bio TYPE varchar(2500)`);
  expect(await queries.posts({}, slice, { author: "full" })).toEqual(before);
  await blog.pool.query(
    `ALTER TABLE "Comment" ADD COLUMN mood text; ALTER TABLE "Comment" ALTER text TYPE text`,
  );
  expect(await Promise.all([1, 2, 3].map(() => queries.comments(posts.slice(-3), slice)))).toHaveLength(3);
});

test("each connection prepares a statement once", async () => {
  const database = openDatabase(blog.url, { pool: 1 });
  const fresh = openQueries(database);
  for (let n = 0; n < 20; n++) {
    await fresh.computed("likeCount", [pick(posts, n)]);
    await fresh.posts({}, { direction: "desc", cursor: null, take: 4, skip: n * 3 }, { author: "full" });
  }
  const { rows } = await database.readPipeline.query({ text: "SELECT name FROM pg_prepared_statements" });
  await database.close();
  // Two statements: the first page has no OFFSET.
  expect(rows).toHaveLength(3);
});
