import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { query } from "../testing/database-server.ts";
import { createPost } from "../testing/factories.ts";

const MINUTE = 60_000;

test("R43B-2: times and sessions do not depend on the time zone of PostgreSQL", async () => {
  const mapUrl = async (url: string) => {
    await query(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'America/New_York'`);
    return url;
  };
  const blog = await startTestApp({}, { mapUrl });
  const maya = await blog.signUp();
  const { id } = await createPost(blog.db, { userId: maya.id });
  const { body } = await blog.rest("POST", "/comments", maya.token, { postId: id, text: "Yes." });
  const posts = (await blog.rest("GET", `/posts/${id}`)).body;
  for (const time of [body.createdAt, posts.createdAt, posts.comments[0].createdAt])
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(MINUTE);
  const { rows } = await blog.pool.query(
    `SELECT max(abs(extract(epoch FROM now() - "createdAt"))) AS age FROM "Session"`,
  );
  expect(Number(rows[0].age)).toBeLessThan(60);
});
