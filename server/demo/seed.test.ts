import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Services } from "../domain/context.ts";
import { checkPassword } from "../domain/accounts/passwords.ts";
import { postChanges, postInput } from "../domain/posts/post-changes.ts";
import { blankPicture } from "../testing/factories.ts";
import { openTestDatabase } from "../testing/database.ts";
import { readDemo, readPicture, type Demo } from "./read-demo.ts";
import { closeDemoLogins, demoLogins, seedDemo } from "./seed.ts";

const HOUR = 60 * 60 * 1000;
const logins = { withAdmin: true, usable: true, password: "read-write-repeat" };

describe("the demo content", () => {
  let demo: Demo;
  const now = new Date("2026-11-21T00:00:30Z");
  beforeAll(async () => {
    demo = await readDemo(now);
  });

  test("has 6 categories, 8 people and 40 posts with comments", () => {
    expect([demo.categories.length, demo.people.length, demo.posts.length]).toEqual([6, 8, 40]);
    expect(demo.comments.length).toBeGreaterThan(40);
    expect(demo.posts.map((post) => post.number)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    for (const titles of [demo.categories, demo.posts.map((post) => post.title)])
      expect(new Set(titles).size).toBe(titles.length);
  });

  test("obeys the validation rules of posts and comments", () => {
    for (const { title, description, category, tags } of demo.posts) {
      const content = { title, description, category, tags };
      expect(postInput.parse(content)).toEqual(content);
      expect(tags.length).toBeGreaterThan(0);
      expect(postChanges.safeParse({ title }).success).toBe(true);
    }
    for (const { text } of demo.comments) expect(text.trim()).toHaveLength(text.length);
    for (const { text } of demo.comments) expect(text.length).toBeLessThanOrEqual(2_000);
    for (const { username, bio } of demo.people) {
      expect(username.length).toBeGreaterThanOrEqual(2);
      expect(bio.length).toBeLessThanOrEqual(1_000);
    }
  });

  test("references only people, categories and posts that exist", () => {
    const people = new Set(demo.people.map((person) => person.key));
    const categories = new Set(demo.categories);
    const numbers = new Set(demo.posts.map((post) => post.number));
    for (const post of demo.posts) {
      expect(people).toContain(post.author);
      expect(categories).toContain(post.category);
    }
    for (const comment of demo.comments) {
      expect(people).toContain(comment.author);
      expect(numbers).toContain(comment.post);
    }
    for (const [number, likers] of Object.entries(demo.likes)) {
      expect(numbers).toContain(Number(number));
      for (const key of likers) expect(people).toContain(key);
    }
  });

  test("leaves no category and no author empty, and has an author called demo", () => {
    expect(new Set(demo.posts.map((post) => post.category))).toEqual(new Set(demo.categories));
    expect(new Set(demo.posts.map((post) => post.author))).toEqual(
      new Set(demo.people.map((each) => each.key)),
    );
    expect(demo.people[0]?.key).toBe("demo");
  });

  test("contains no like of one's own post, and no duplicates", () => {
    for (const { number, author } of demo.posts) {
      const likers = demo.likes[String(number)] ?? [];
      expect(likers).not.toContain(author);
      expect(new Set(likers).size).toBe(likers.length);
    }
  });

  test.each(["2026-11-21T00:00:30Z", "2026-11-21T12:00:00Z", "2024-02-29T23:59:59Z", "2030-01-01T00:00:00Z"])(
    "lies in the past at %s, each post with a distinct date",
    async (moment) => {
      const { posts } = await readDemo(new Date(moment));
      const moments = posts.map((post) => post.createdAt.getTime());
      expect(Math.max(...moments)).toBeLessThan(new Date(moment).getTime());
      expect(new Set(moments).size).toBe(posts.length);
      expect(Math.max(...moments)).toBeGreaterThan(new Date(moment).getTime() - 48 * HOUR);
    },
  );

  test("has exactly one picture for every post and person", async () => {
    const pictures = await Promise.all([...demo.posts, ...demo.people].map(readPicture));
    for (const picture of pictures) expect(picture.subarray(8, 12).toString()).toBe("WEBP");
    expect(new Set(pictures.map((picture) => picture.toString("base64"))).size).toBe(48);
    expect(await readdir("server/demo/content/pictures")).toHaveLength(48);
  });
});

describe("seedDemo", () => {
  let services: Services;
  const lines: string[] = [];
  const start = new Date();
  beforeAll(async () => {
    const { db } = await openTestDatabase();
    const save = async (bytes: Buffer) => {
      expect(bytes.subarray(8, 12).toString()).toBe("WEBP");
      return { ...blankPicture(), id: randomUUID() };
    };
    services = { db, media: { save }, now: () => start } as unknown as Services;
  });
  afterEach(async () => {
    await services.db.user.deleteMany();
    await services.db.category.deleteMany();
    await services.db.picture.deleteMany();
    lines.length = 0;
  });

  const count = async () => ({
    users: await services.db.user.count(),
    posts: await services.db.post.count(),
    categories: await services.db.category.count(),
    comments: await services.db.comment.count(),
    likes: await services.db.like.count(),
  });

  test("fills an empty blog, with the newest post minutes to hours old", async () => {
    await seedDemo(services, logins, (line) => lines.push(line));
    const demo = await readDemo(start);
    expect(await count()).toEqual({
      ...{ users: 9, posts: 40, categories: 6, comments: demo.comments.length },
      likes: Object.values(demo.likes).flat().length,
    });
    expect(lines.at(-1)).toBe("demo content written: 40 posts by 8 people");
    const [newest] = await services.db.post.findMany({
      orderBy: { createdAt: "desc" },
      include: { user: true },
    });
    expect(newest?.title).toBe(demo.posts.toSorted((a, b) => +b.createdAt - +a.createdAt)[0]?.title);
    const titles = await services.db.category.findMany({ orderBy: { createdAt: "asc" } });
    expect(titles.map((category) => category.title)).toEqual(demo.categories);
    const admin = await services.db.user.findFirst({ where: { isAdmin: true } });
    expect(new Set(titles.map((category) => category.userId))).toEqual(new Set([admin?.id]));
  });

  test("dates nothing in the future, and no comment before its post or author", async () => {
    await seedDemo(services, logins, () => {});
    const now = new Date();
    for (const comment of await services.db.comment.findMany({ include: { post: true, user: true } })) {
      expect(comment.createdAt.getTime()).toBeLessThan(now.getTime());
      expect(comment.createdAt.getTime()).toBeGreaterThanOrEqual(comment.post.createdAt.getTime());
      expect(comment.user.createdAt.getTime()).toBeLessThan(comment.createdAt.getTime());
    }
    expect(await services.db.post.count({ where: { createdAt: { gte: now } } })).toBe(0);
  });

  test("writes all or nothing", async () => {
    await services.db.category.create({ data: { title: "work", titleKey: "work" } });
    await expect(seedDemo(services, logins, () => {})).rejects.toMatchObject({ code: "P2002" });
    expect(await count()).toEqual({ users: 0, posts: 0, categories: 1, comments: 0, likes: 0 });
  });

  test("creates no second admin", async () => {
    const names = { username: "Admin", usernameKey: "admin", email: "me@example.org" };
    await services.db.user.create({ data: { ...names, passwordHash: "x", isAdmin: true } });
    await seedDemo(services, logins, () => {});
    expect(await services.db.user.findMany({ where: { isAdmin: true } })).toMatchObject([names]);
  });

  test("creates an admin only on request", async () => {
    await seedDemo(services, { ...logins, withAdmin: false }, () => {});
    expect(await services.db.user.count({ where: { isAdmin: true } })).toBe(0);
    expect(await demoLogins(services, logins)).toEqual([
      "  Sign in as writer: demo@example.com / read-write-repeat",
    ]);
  });

  test("sets the printed password if demo logins are usable", async () => {
    await seedDemo(services, logins, () => {});
    expect(await demoLogins(services, logins)).toEqual([
      "  Sign in as writer: demo@example.com / read-write-repeat",
      "  Sign in as admin: admin@example.com / read-write-repeat",
    ]);
  });

  test("disables the logins where others could reach the blog", async () => {
    await seedDemo(services, { ...logins, usable: false }, () => {});
    expect(await demoLogins(services, logins)).toEqual([]);
    for (const { passwordHash } of await services.db.user.findMany({ distinct: ["passwordHash"] }))
      expect(await checkPassword(passwordHash, logins.password)).toBe(false);
  });

  test("lists no account with a changed password", async () => {
    await seedDemo(services, logins, () => {});
    await services.db.user.update({
      where: { email: "admin@example.com" },
      data: { passwordHash: await own() },
    });
    expect(await demoLogins(services, logins)).toEqual([
      "  Sign in as writer: demo@example.com / read-write-repeat",
    ]);
  });

  test("can disable the logins later, which ends only the sessions of these accounts", async () => {
    await seedDemo(services, logins, () => {});
    const admin = await services.db.user.update({
      where: { email: "admin@example.com" },
      data: { passwordHash: await own() },
    });
    for (const { id } of await services.db.user.findMany())
      await services.db.session.create({ data: { userId: id, tokenHash: Buffer.from(id) } });
    await closeDemoLogins(services, logins);
    expect(await demoLogins(services, logins)).toEqual([]);
    expect(await services.db.session.findMany()).toMatchObject([{ userId: admin.id }]);
    expect(await services.db.user.findUnique({ where: { id: admin.id } })).toMatchObject({
      passwordHash: admin.passwordHash,
    });
  });
});

const own = async () =>
  (await import("../domain/accounts/passwords.ts")).hashPassword("a password of one's own");
