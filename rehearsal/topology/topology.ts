import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, removeFolder, startProgram } from "../../deploy/testing/programs.ts";
import { spawnBlog } from "../../e2e/testing/blog.ts";
import { sleep } from "../../faults/testing/observations.ts";
import { bucketKeys } from "../../server/testing/bucket-server.ts";
import { openPart, type Part } from "./part.ts";
import { openNode } from "./postgres.ts";
import { openHaproxy, openPgbouncer, openVarnish, PURGE_TOKEN } from "./proxies.ts";

const FIRST_PORT = Number(process.env["REHEARSAL_PORT"] ?? 5300);
const BUCKET = "pictures";

export type Topology = Awaited<ReturnType<typeof openTopology>>;

/** Nothing is started yet except the database: its standbys need the data of the primary. */
export async function openTopology() {
  const portOf = (n: number) => FIRST_PORT + n;
  const folder = makeFolder("rehearsal");
  const blogPorts = [2, 3, 4].map(portOf);
  const site = `http://127.0.0.1:${portOf(0)}`;
  const nodes = ["a", "b", "c"].map((name, n) => openNode(name, portOf(7 + n)));
  const [primary, ...standbys] = nodes;
  if (!primary) throw new Error("there is no primary");
  const pgbouncer = openPgbouncer(folder, { port: portOf(5), primary: primary.port });
  const bucket = openBucket(join(folder, "bucket"), portOf(6));
  const env = {
    ...{ DATABASE_URL: pgbouncer.pooled, DATABASE_DIRECT_URL: pgbouncer.direct },
    ...{ DATABASE_REPLICA_URLS: standbys.map(({ url }) => url).join(), MEDIA_URL: bucket.url },
    ...{ AWS_ACCESS_KEY_ID: bucketKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: bucketKeys.secretAccessKey },
    ...{ CDN_MAX_AGE: "600", CDN_PURGE_URL: `${site}/purge`, CDN_PURGE_TOKEN: PURGE_TOKEN },
    ...{ PUBLIC_URL: site, TRUST_PROXY: "2", SHUTDOWN_DELAY: "3", RATE_LIMITS: "off", DEMO: "off" },
  };
  const topology = {
    site,
    nodes,
    primary,
    outbox: join(folder, "blog/outbox"),
    varnish: openVarnish(folder, { port: portOf(0), origin: portOf(1) }),
    haproxy: openHaproxy(folder, { port: portOf(1), blogs: blogPorts }),
    blogs: blogPorts.map((port, n) => openBlog(`blog ${n + 1}`, port, { folder: join(folder, "blog"), env })),
    pgbouncer,
    bucket,
    standbys: () => nodes.filter((node) => node !== topology.primary),
    parts: (): Part[] => [
      ...[topology.varnish, topology.haproxy, ...topology.blogs],
      ...[pgbouncer, bucket, ...nodes],
    ],
    async stop() {
      for (const part of topology.parts()) await part.kill();
      for (const each of [folder, ...nodes.map(({ folder }) => folder)]) removeFolder(each);
    },
  };
  return topology;
}

/** The primary, two standbys that have all of it, and what the processes of the blog need. */
export async function startBelow({ primary, standbys, pgbouncer, bucket, haproxy, varnish }: Topology) {
  primary.create();
  await primary.start();
  for (const standby of standbys()) {
    standby.copy(primary);
    await standby.start();
  }
  // The first commit waits until a standby is connected.
  while ((await primary.followers()).length < 2) await sleep(50);
  await primary.run("CREATE DATABASE blog");
  for (const part of [bucket, pgbouncer, haproxy, varnish]) await part.start();
}

function openBucket(directory: string, port: number) {
  mkdirSync(join(directory, BUCKET), { recursive: true });
  // Node 20 runs no TypeScript.
  const code = `import("vite").then(({ runnerImport }) => runnerImport("./rehearsal/topology/bucket-process.ts", { configFile: false, logLevel: "error" }))`;
  const args = ["--eval", code, directory, String(port)];
  const part = openPart("bucket", () => startProgram(process.execPath, { args, port, cwd: process.cwd() }));
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    ...part,
    url: `s3://${BUCKET}?endpoint=${endpoint}`,
    store: { bucket: BUCKET, endpoint },
    keys: bucketKeys,
    /** Where the server has the files. */
    folder: join(directory, BUCKET),
  };
}

function openBlog(
  name: string,
  port: number,
  { folder, env }: { folder: string; env: Record<string, string> },
) {
  const part = openPart(name, async () => {
    const { child, output } = spawnBlog(port, folder, env);
    for (const until = Date.now() + 60_000; !output().includes("listening on"); await sleep(20))
      if (child.exitCode !== null || Date.now() > until) {
        child.kill("SIGKILL");
        throw new Error(`${name} did not start:\n${output()}`);
      }
    return { process: child, output };
  });
  return { ...part, url: `http://127.0.0.1:${port}` };
}
