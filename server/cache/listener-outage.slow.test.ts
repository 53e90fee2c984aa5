import { expect, test, vi } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";
import { startProcess } from "../testing/processes.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";

test("without the invalidation listener nothing is cached, nor a response begun meanwhile", async () => {
  const blog = await startTestApp();
  const proxy = await startTcpProxy(blog.url);
  const process = await startProcess(blog, { listenUrl: proxy.url });
  const { id } = await createPost(blog.db, { userId: (await createUser(blog.db)).id, title: "First" });
  const path = `/api/posts/${id}`;
  const titleOf = async () => JSON.parse((await process.ask(path)).text).title;
  await vi.waitUntil(() => process.caches(path));
  for (const cut of [proxy.refuse, proxy.hang]) {
    expect(await titleOf()).toBeDefined();
    cut();
    await vi.waitUntil(() => !process.changes.isListening(), { timeout: 5_000 });
    for (let n = 0; n < 10; n++) {
      await blog.db.post.update({ where: { id }, data: { title: `Unnotified ${n}` } });
      expect(await titleOf()).toBe(`Unnotified ${n}`);
    }
    expect(process.responseCache.size().entries).toBe(0);
    // A tracker begun while disconnected may have missed invalidations.
    const tracker = process.responseCache.begin("", "");
    tracker.tags.add(`post:${id}`);
    proxy.work();
    await vi.waitUntil(process.changes.isListening, { timeout: 10_000 });
    expect(
      process.responseCache.store(
        "x",
        { headers: {}, compressed: {}, heads: {}, body: Buffer.from("old"), route: path },
        tracker,
      ),
    ).toBe(false);
    process.responseCache.end(tracker);
    expect(await titleOf()).toBe("Unnotified 9");
    await vi.waitUntil(() => process.caches(path));
  }
}, 60_000);
