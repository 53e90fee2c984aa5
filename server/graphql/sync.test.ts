import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { removeExpired } from "../domain/retention.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost, createUser } from "../testing/factories.ts";
import type { Tx } from "../domain/ports.ts";

// SYNC_ROWS=10000 writes that many posts and comments beside the pollers.

const ROWS = Number(process.env["SYNC_ROWS"] ?? 0);
const TIMEOUT = 60_000 + ROWS * 60;

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
});

const read = async (query: string, variables = {}) => {
  const { body } = await blog.gql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

/** Continues behind the last row that it has seen, as a client that polls does. */
function poller(field: string, query: string, variables: object = {}) {
  const seen: string[] = [];
  let after: string | null = null;
  const poll = async () => {
    for (let more = true; more;) {
      const data = await read(query, { ...variables, after });
      const list = field.split(".").reduce((value, name) => value[name], data);
      seen.push(...list.nodes.map(({ id }: { id: string }) => id));
      after = list.pageInfo.endCursor ?? after;
      more = list.pageInfo.hasNextPage;
    }
  };
  return { seen, poll };
}

const page = "nodes { id } pageInfo { endCursor hasNextPage }";

const slotOf = async (tx: Tx) =>
  (await tx.$queryRaw<{ slot: number }[]>`SELECT mod(pg_backend_pid(), 8) AS slot`)[0]?.slot;

/** A comment waits for a transaction that has counted another one of the post in its slot, which one in eight connections has. */
async function inOtherSlot(
  slot: number | undefined,
  create: (tx: Tx) => Promise<{ id: string }>,
): Promise<string> {
  let created: Promise<{ id: string }> | undefined;
  const attempts = [1, 2, 3].map(() =>
    blog.db.$transaction(async (tx) => {
      if ((await slotOf(tx)) !== slot) await (created ??= create(tx));
      await wait(20);
    }),
  );
  await Promise.all(attempts);
  const { id = "" } = (await created) ?? {};
  return id;
}

describe("a client that polls from the oldest to the newest beside 16 writers", () => {
  test(
    "misses no post, no comment, no change and no deletion, and sees none twice",
    async () => {
      const WRITERS = 16;
      const EACH = Math.ceil((ROWS || 256) / 2 / WRITERS);
      const post = await createPost(blog.db, { userId: maya.id });
      await createComment(blog.db, { postId: post.id, userId: maya.id });
      const old = await Promise.all(
        Array.from({ length: WRITERS }, () =>
          createPost(blog.db, { userId: maya.id, createdAt: new Date(0), updatedAt: new Date(0) }),
        ),
      );
      const since = new Date();
      const pollers = {
        created: poller(
          "posts",
          `query ($after: String) { posts(sort: "createdAt", first: 20, after: $after) { ${page} } }`,
        ),
        changed: poller(
          "posts",
          `query ($after: String, $since: DateTime) {
          posts(orderBy: { field: UPDATED_AT, direction: ASC }, updatedAfter: $since, first: 20, after: $after) { ${page} } }`,
          { since: new Date(since.getTime() - 60_000) },
        ),
        comments: poller(
          "post.comments",
          `query ($id: ID!, $after: String) { post(id: $id) { comments(first: 20, after: $after) { ${page} } } }`,
          { id: post.id },
        ),
        deleted: poller(
          "deletions",
          `query ($since: DateTime!, $after: String) { deletions(since: $since, first: 20, after: $after) { ${page} } }`,
          { since },
        ),
      };
      const all = Object.values(pollers);
      // The first page of a list is never held back, so reading begins behind a row that exists.
      for (const { poll } of all) await poll();
      const written: Record<keyof typeof pollers, string[]> = {
        created: [],
        changed: [],
        comments: [],
        deleted: [],
      };
      let isWriting = true;
      /** A transaction that lasts longer after its write than others, so that the order of commits is another. */
      const write = <T>(work: (tx: any) => Promise<T>) =>
        blog.db.$transaction(async (tx) => {
          const result = await work(tx);
          await wait(Math.random() * 25);
          return result;
        });
      const writer = async (n: number) => {
        for (let time = 0; time < EACH; time++) {
          const { id } = await write((tx) => createPost(tx, { userId: maya.id, title: `Post ${n} ${time}` }));
          written.created.push(id);
          written.changed.push(id);
          written.comments.push(
            (await write((tx) => createComment(tx, { postId: post.id, userId: maya.id }))).id,
          );
        }
        const [first] = written.created.splice(n % 3, 1);
        if (first) await write((tx) => tx.post.deleteMany({ where: { id: first } }));
        if (first) written.deleted.push(first);
        const changed = old[n]?.id ?? "";
        await write((tx) => tx.post.update({ where: { id: changed }, data: { title: `Changed ${n}` } }));
        written.changed.push(changed);
      };
      const polling = Promise.all(
        all.map(async ({ poll }) => {
          while (isWriting) await poll();
        }),
      );
      await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)));
      isWriting = false;
      await polling;
      // Autovacuum may hold rows back for a while; a missed row never comes.
      for (let n = 0; n < 20; n++) await Promise.all([wait(50), ...all.map(({ poll }) => poll())]);
      for (const [name, { seen }] of Object.entries(pollers)) {
        const expected = written[name as keyof typeof pollers];
        const gone = new Set(name === "deleted" ? [] : written.deleted);
        const found = new Set(seen);
        expect([name, expected.filter((id) => !gone.has(id) && !found.has(id))]).toEqual([name, []]);
        expect([name, found.size]).toEqual([name, seen.length]);
        if (ROWS) console.info(`${name}: ${expected.length} written, 0 missed, 0 twice`);
      }
    },
    TIMEOUT,
  );

  test("waits for a writer whose row is older than those of others, and then sees its row", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    const comment = (db: Tx) => createComment(db, { postId: post.id, userId: maya.id });
    await comment(blog.db);
    const { seen, poll } = poller(
      "post.comments",
      `query ($id: ID!, $after: String) { post(id: $id) { comments(first: 1, after: $after) { ${page} } } }`,
      { id: post.id },
    );
    await wait(5);
    await poll();
    let late = "";
    let other = "";
    await blog.db.$transaction(async (tx) => {
      late = (await createComment(tx, { postId: post.id, userId: maya.id })).id;
      other = await inOtherSlot(await slotOf(tx), comment);
      await poll();
      expect(seen).toHaveLength(1);
      // Others see the newest at once: only reads from the oldest wait.
      const { posts } = await read(`{ posts(first: 1) { nodes { id comments(last: 1) { nodes { id } } } } }`);
      expect(posts.nodes[0].comments.nodes).toEqual([{ id: other }]);
    });
    await wait(5);
    await poll();
    expect(seen.slice(1)).toEqual([late, other]);
  });
});

test("a transaction that writes other tables changes no response of a list of deletions", async () => {
  const DAY = 24 * 60 * 60 * 1000;
  const isForgotten = async () => {
    const since = new Date(Date.now() - 90 * DAY - 50);
    const { body } = await blog.gql(
      "query ($since: DateTime!) { deletions(since: $since) { nodes { id } } }",
      {
        since,
      },
    );
    return body.errors !== undefined;
  };
  expect(await isForgotten()).toBe(true);
  await blog.db.$transaction(async (tx) => {
    await tx.throttle.deleteMany({ where: { key: "nobody" } });
    await wait(200);
    expect(await isForgotten()).toBe(true);
  });
  await blog.db.$transaction(async (tx) => {
    await tx.deletion.deleteMany({ where: { type: "nothing" } });
    await wait(200);
    expect(await isForgotten()).toBe(false);
  });
});

describe("updatedAt", () => {
  const timeOf = async (id: string) =>
    (await read("query ($id: ID!) { post(id: $id) { updatedAt } }", { id })).post.updatedAt;

  test("changes with the title, the text, the category and the picture, and with nothing else", async () => {
    const post = await createPost(blog.db, { userId: maya.id });
    await createCategory(blog.db, "Craft");
    await createCategory(blog.db, "Food");
    const change = (body: object) => blog.rest("PUT", `/posts/${post.id}`, maya.token, body);
    let last = await timeOf(post.id);
    const changed = async (work: () => Promise<unknown>) => {
      await wait(3);
      await work();
      const [before, now] = [last, await timeOf(post.id)];
      last = now;
      return now > before;
    };
    expect(await changed(() => change({ title: "Another title" }))).toBe(true);
    expect(await changed(() => change({ description: "Another text, of some length." }))).toBe(true);
    expect(await changed(() => change({ category: "Food" }))).toBe(true);
    expect(await changed(() => change({ category: "Food", title: "Another title" }))).toBe(false);
    expect(await changed(() => change({}))).toBe(false);
    expect(await changed(() => blog.rest("PUT", `/posts/like/${post.id}`, maya.token, {}))).toBe(false);
    expect(await changed(() => createComment(blog.db, { postId: post.id, userId: maya.id }))).toBe(false);
    const { imageId } = await createPost(blog.db, { userId: maya.id });
    await blog.db.post.deleteMany({ where: { imageId } });
    expect(await changed(() => blog.db.post.update({ where: { id: post.id }, data: { imageId } }))).toBe(
      true,
    );
  });
});

describe("deletions", () => {
  const query =
    "query ($since: DateTime!) { deletions(since: $since, first: 100) { totalCount nodes { id type deletedAt } } }";

  test("list deleted objects by id and type, cascaded ones included, but no drafts", async () => {
    const since = new Date(Date.now() - 1);
    const author = await createUser(blog.db);
    const post = await createPost(blog.db, { userId: author.id });
    const comment = await createComment(blog.db, { postId: post.id, userId: maya.id });
    const category = await createCategory(blog.db, "Short-lived");
    const draft = await blog.db.draft.create({ data: { userId: author.id, title: "Hidden" } });
    const unverified = await createUser(blog.db, { verifiedAt: null });
    await blog.db.draft.delete({ where: { id: draft.id } });
    await blog.db.user.deleteMany({ where: { id: { in: [author.id, unverified.id] } } });
    await blog.db.category.delete({ where: { id: category.id } });
    await wait(3);
    const { deletions } = await read(query, { since });
    const found = new Map(deletions.nodes.map(({ id, type }: any) => [id, type]));
    for (const [id, type] of [
      [author.id, "Profile"],
      [post.id, "Post"],
      [comment.id, "Comment"],
      [category.id, "Category"],
    ] as const)
      expect(found.get(id)).toBe(type);
    expect([found.has(draft.id), found.has(unverified.id)]).toEqual([false, false]);
    expect(Object.keys(deletions.nodes[0])).toEqual(["id", "type", "deletedAt"]);
  });

  test("are forgotten after 90 days, and a client that was away for longer gets an error", async () => {
    const DAY = 24 * 60 * 60 * 1000;
    const days = (n: number) => new Date(Date.now() - n * DAY);
    const old = ["1", "2", "3"].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    await blog.db.deletion.createMany({
      data: old.map((each) => ({ id: each, type: "Post", deletedAt: days(92) })),
    });
    await removeExpired({ db: blog.db, now: () => new Date() }, 2);
    expect(await blog.db.deletion.count({ where: { id: { in: old } } })).toBe(0);
    const { body } = await blog.gql(query, { since: days(91) });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringMatching(/90 days ago at most.*read everything anew/),
      extensions: { code: "BAD_USER_INPUT" },
    });
    expect((await blog.gql(query, { since: days(89) })).body.errors).toBeUndefined();
    // A client that began long ago continues by its cursor.
    const continued = `query ($since: DateTime!, $after: String!) { deletions(since: $since, after: $after) { nodes { id } } }`;
    const cursorAt = (time: Date) => Buffer.from(`${time.getTime()}_${old[0]}`).toString("base64url");
    const ask = (after: Date) => blog.gql(continued, { since: days(200), after: cursorAt(after) });
    expect((await ask(days(89))).body.errors).toBeUndefined();
    expect((await ask(days(91))).body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  });
});
