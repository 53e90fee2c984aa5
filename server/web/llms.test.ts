import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";

const blog = await startTestApp({
  llmsTxt: true,
  siteTitle: "Ann's [Blog]\n# x",
  publicUrl: "http://blog.test",
});

test("/llms.txt has a title, a summary, and lists of links, as llmstxt.org describes it", async () => {
  const { id: userId } = await createUser(blog.db);
  const titles = ["Older", "A [link](http://x.test)\nand ](more"];
  for (const title of titles)
    await createPost(blog.db, { userId, title, description: "**Bread** and\n\nsalt." });
  const { statusCode, headers, body } = await blog.app.inject("/llms.txt");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  const [title, summary, ...sections] = body.trimEnd().split(/\n\n(?=[#>])/);
  expect(title).toBe("# Ann's \\[Blog\\] # x");
  expect(summary).toMatch(/^> .+\.$/);
  const listed = sections.map((section) => {
    const [heading, ...links] = section.split(/\n+/);
    for (const link of links)
      expect(link).toMatch(/^- \[(?:[^[\]\\]|\\.)+\]\(http:\/\/blog\.test\/[^\s()]*\)(: .+)?$/);
    return [heading, links] as const;
  });
  expect(listed.map(([heading]) => heading)).toEqual(["## Pages", "## Newest posts", "## Feeds and APIs"]);
  const [, posts = []] = listed[1] ?? [];
  expect(posts).toHaveLength(2);
  expect(posts[0]).toContain("[A \\[link\\](http://x.test) and \\](more]");
  expect(posts[1]).toMatch(/\/posts\/details\/[0-9a-f-]{36}\): Bread and salt\.$/);
  for (const path of [...body.matchAll(/\(http:\/\/blog\.test(\/[^\s()]*)\)/g)].map(([, found]) => found!))
    expect((await blog.app.inject({ url: path, headers: { accept: "text/html" } })).statusCode, path).toBe(
      200,
    );
});

test("it does not exist unless it is switched on", async () => {
  const { app } = await startTestApp();
  const { statusCode, body } = await app.inject("/llms.txt");
  expect([statusCode, body]).toEqual([404, "Not Found\n"]);
});
