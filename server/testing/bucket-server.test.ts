import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { createBucketServer } from "./bucket-server.ts";

test("an upload that is cut stores nothing, and keeps the object before it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "blog-bucket-server-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { store } = createBucketServer(folder);
  const path = join(folder, "object");
  const cut = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from("the beginning");
        throw new Error("the client has gone");
      })(),
    );
  await expect(store.putContent(path, cut())).rejects.toThrow("the client has gone");
  await expect.poll(() => readdir(folder)).toEqual([]);
  await store.putContent(path, Readable.from([Buffer.from("whole")]));
  await expect(store.putContent(path, cut())).rejects.toThrow("the client has gone");
  expect(await readFile(path, "utf8")).toBe("whole");
  await expect.poll(() => readdir(folder)).toEqual(["object"]);
});
