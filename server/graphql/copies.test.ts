import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";

// SYNC_ROWS=10000 makes that many random writes.

const ROWS = Number(process.env["SYNC_ROWS"] ?? 0);
const TIMEOUT = 60_000 + ROWS * 60;

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const read = async (query: string, variables = {}) => {
  const { body } = await blog.gql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

test(
  "a copy that follows changes and deletions equals the blog after random writes by 8 writers",
  async () => {
    const own = await createUser(blog.db);
    const copy = new Map<string, string>();
    const follow = (query: string, variables: object, take: (row: { id: string; title: string }) => void) => {
      let after: string | null = null;
      return async () => {
        for (let more = true; more;) {
          const { list }: any = await read(query, { ...variables, after });
          list.nodes.forEach(take);
          after = list.pageInfo.endCursor ?? after;
          more = list.pageInfo.hasNextPage;
        }
      };
    };
    const info = "pageInfo { endCursor hasNextPage }";
    const changes = follow(
      `query ($author: ID!, $after: String) { list: posts(author: $author, first: 100, after: $after,
      updatedAfter: "1970-01-01T00:00:00Z", orderBy: { field: UPDATED_AT, direction: ASC }) { nodes { id title } ${info} } }`,
      { author: own.id },
      ({ id, title }) => void copy.set(id, title),
    );
    const deletions = follow(
      `query ($since: DateTime!, $after: String) {
      list: deletions(since: $since, first: 100, after: $after) { nodes { id } ${info} } }`,
      { since: new Date() },
      ({ id }) => void copy.delete(id),
    );
    const ids: string[] = [];
    const [steps, WRITERS] = [ROWS || 480, 8];
    let isWriting = true;
    const polling = (async () => {
      while (isWriting) {
        await changes();
        await deletions();
      }
    })();
    const step = async (n: number) => {
      const place = Math.floor(Math.random() * ids.length);
      const dice = Math.random();
      if (dice < 0.4 || ids.length < 10) {
        ids.push((await createPost(blog.db, { userId: own.id, title: `Post ${n}` })).id);
      } else if (dice < 0.75) {
        await blog.db.post.updateMany({ where: { id: ids[place] }, data: { title: `Changed ${n}` } });
      } else {
        const [id] = ids.splice(place, 1);
        await blog.db.post.deleteMany({ where: { id } });
      }
    };
    const writer = async (from: number) => {
      for (let n = from; n < steps; n += WRITERS) await step(n);
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)));
    isWriting = false;
    await polling;
    await wait(1_000);
    await changes();
    await deletions();
    const rows = await blog.db.post.findMany({
      where: { userId: own.id },
      select: { id: true, title: true },
    });
    expect(copy).toEqual(new Map(rows.map(({ id, title }) => [id, title])));
    if (ROWS) console.info(`${steps} random writes: the copy has the ${rows.length} posts of the blog`);
  },
  TIMEOUT,
);
