import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDataDir, removeDataDir, startBlog } from "../../e2e/testing/blog.ts";
import { openTopology, startBelow } from "../../rehearsal/topology/topology.ts";
import { openEmbeddedPostgres } from "../../server/data/embedded/embedded-postgres.ts";
import { findFreePort } from "../../server/data/embedded/free-port.ts";
import { openFolder } from "../../server/media/folder.ts";
import type { PictureFiles } from "../../server/media/picture-files.ts";
import { openStores } from "../../server/media/stores.ts";
import { httpWorkerFile } from "../../server/testing/http-worker.ts";

/** A blog whose processes and database are killed and started again. */
export type Killable = {
  url: string;
  /** The folder below which the files of the pictures are, and the store that they are in. */
  folder: string;
  stored: PictureFiles;
  findDatabase: () => Promise<string>;
  start: () => Promise<void>;
  /** Resolves when they have ended. */
  kill: (parts: { database: boolean }) => Promise<void>;
  /** Stops what runs, and removes its data. */
  end: () => Promise<void>;
};

const env = { DEMO: "off", RATE_LIMITS: "off" };

/** One process with the embedded PostgreSQL, and pictures in a folder. */
export async function openSingle(): Promise<Killable> {
  const [dataDir, port] = [await makeDataDir(), await findFreePort()];
  const folder = join(dataDir, "media");
  let blog: Awaited<ReturnType<typeof startBlog>>;

  async function killDatabase(): Promise<void> {
    const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
  }

  return {
    url: `http://localhost:${port}`,
    ...{ folder, stored: openFolder(folder) },
    findDatabase: async () => (await openEmbeddedPostgres(dataDir, () => undefined)).url,
    async start() {
      blog = await startBlog({ dataDir, port, env });
    },
    async kill({ database }) {
      blog.process.kill("SIGKILL");
      if (database) await killDatabase();
      await once(blog.process, "exit");
    },
    async end() {
      await blog.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** Two processes behind Varnish and HAProxy, with PgBouncer, two standbys, and pictures in a bucket. */
export async function openSeveral(): Promise<Killable> {
  const topology = await openTopology();
  await startBelow(topology);
  const { site, bucket, primary } = topology;
  const blogs = topology.blogs.slice(0, 2);
  const { store, keys, folder } = bucket;
  const { files: stored, close } = await openStores({ folder, store, previous: null, keys, httpWorkerFile });
  return {
    url: site,
    ...{ folder, stored },
    findDatabase: async () => primary.url,
    async start() {
      if (primary.hasEnded()) await primary.start();
      for (const blog of blogs) await blog.start();
    },
    async kill({ database }) {
      await Promise.all([...blogs, ...(database ? [primary] : [])].map((part) => part.kill()));
    },
    async end() {
      close();
      await topology.stop();
    },
  };
}
