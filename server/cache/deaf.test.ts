import { expect, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";
import { startProcess } from "../testing/processes.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";

test("while one cannot hear what others write, nothing is kept; nor what was begun to be read meanwhile", async () => {
  const blog = await startTestApp();
  const line = await startTcpProxy(blog.url);
  const deaf = await startProcess(blog, { listenUrl: line.url });
  const { id } = await createPost(blog.db, { userId: (await createUser(blog.db)).id, title: "First" });
  const path = `/api/posts/${id}`;
  const titleOf = async () => JSON.parse((await deaf.ask(path)).text).title;
  await vi.waitUntil(() => deaf.keeps(path));
  for (const cut of [line.refuse, line.hang]) {
    expect(await titleOf()).toBeDefined();
    cut();
    await vi.waitUntil(() => !deaf.changes.isListening(), { timeout: 5_000 });
    for (let n = 0; n < 10; n++) {
      await blog.db.post.update({ where: { id }, data: { title: `Unheard ${n}` } });
      expect(await titleOf()).toBe(`Unheard ${n}`);
    }
    expect(deaf.answers.size().entries).toBe(0);
    // Begun deaf, ended hearing: in between somebody wrote, and nobody told.
    const reading = deaf.answers.begin();
    reading.tags.add(`post:${id}`);
    line.work();
    await vi.waitUntil(deaf.changes.isListening, { timeout: 10_000 });
    expect(
      deaf.answers.store(
        "x",
        { headers: {}, compressed: {}, heads: {}, body: Buffer.from("old"), route: path },
        reading,
      ),
    ).toBe(false);
    deaf.answers.end(reading);
    expect(await titleOf()).toBe("Unheard 9");
    await vi.waitUntil(() => deaf.keeps(path));
  }
}, 60_000);
