import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { parseFullText } from "../../domain/lists/full-text-search.ts";
import { byTime } from "../../domain/lists/connections.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost, createUser } from "../../testing/factories.ts";
import { listQueries } from "./lists.ts";

let blog: TestApp;
const [POSTS, CHARACTERS] = [300, 40_000];

// Of random bytes: PostgreSQL cannot compress them.
const longText = () => `slate and snake_case ${randomBytes(CHARACTERS * 0.75).toString("base64")}`;

beforeAll(async () => {
  blog = await startTestApp();
  const { id: userId } = await createUser(blog.db);
  for (let n = 0; n < POSTS; n++)
    await createPost(blog.db, { userId, title: "Long", description: longText() });
  await blog.pool.query('ANALYZE "Post"');
});

/** The bytes of the pages that the statement of a search reads. */
async function bytesReadFor(search: string): Promise<number> {
  let statement = Prisma.empty;
  const capture = (strings: TemplateStringsArray, ...values: unknown[]) => {
    statement = Prisma.sql(strings, ...(values as Prisma.Sql[]));
    return Promise.resolve([]);
  };
  const selection = { list: "posts", filter: {}, search: parseFullText(search) } as const;
  const slice = { cursor: null, take: 10, skip: 0 };
  await listQueries({ $queryRaw: capture } as never).listKeys(selection, byTime("desc"), slice);
  const { rows } = await blog.pool.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
    statement.values,
  );
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return 8_192 * (plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]);
}

test.each(["slate", "sl an", "long slate→snake", "nothing"])(
  "a search of a list for %j reads indexes and no texts",
  async (search) => {
    await bytesReadFor(search);
    expect(await bytesReadFor(search)).toBeLessThan(0.1 * POSTS * CHARACTERS);
  },
);

test("literals are compared with the newest texts, up to a limit of bytes", async () => {
  const { body } = await blog.gql('{ posts(search: "snake_case") { totalCount } }');
  expect(body.data.posts.totalCount).toBe(Math.ceil(4_000_000 / longText().length));
});
