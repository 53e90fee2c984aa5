// CPU time of the whole list of posts by REST: read from the database, from the response cache, and as 304 to its ETag.
import { get } from "node:http";
import { loadavg } from "node:os";
import { openServer } from "./data.ts";
import { openStandard } from "./contestants.ts";
import { cpuOf, type Running } from "./measure.ts";
import { withBlog } from "./with-blog.ts";

type Response = { status: number; etag: string; bytes: number };

const send = (origin: string, headers: Record<string, string>) =>
  new Promise<Response>((resolve, reject) => {
    get(`${origin}/api/posts`, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, etag: response.headers.etag ?? "", bytes }),
      );
    }).on("error", reject);
  });

/** Prints the median of five batches of `count` responses. @returns the ETag of the last one */
async function measure(name: string, running: Running, headers: Record<string, string>, count: number) {
  let last = await send(running.origin, headers);
  const results = [];
  for (let batch = 0; batch < 5; batch++) {
    const before = await cpuOf(running);
    for (let n = 0; n < count; n++) last = await send(running.origin, headers);
    results.push({ ...last, cpu: ((await cpuOf(running)) - before) / count });
  }
  const { status, bytes, etag, cpu } = results.sort((a, b) => a.cpu - b.cpu)[2]!;
  console.log(`| ${name} | ${status} | ${(bytes / 1e6).toFixed(1)} | ${cpu.toPrecision(3)} |`);
  return etag;
}

const gzip = { "accept-encoding": "gzip" };
const server = await openServer();
const { database } = await openStandard(server.url);
try {
  console.log("| | status | MB sent | CPU ms |\n| --- | ---: | ---: | ---: |");
  await withBlog("lists", database.url, { READ_CACHE: "off" }, async (blog) => {
    await measure("streamed, not compressed", blog, { "accept-encoding": "identity" }, 1);
    await measure("streamed, gzip", blog, gzip, 1);
  });
  await withBlog("lists, cache", database.url, { READ_CACHE: "on" }, async (blog) => {
    for (let n = 0; n < 3; n++) await send(blog.origin, gzip);
    const etag = await measure("from the response cache", blog, gzip, 100);
    await measure("304 to its ETag", blog, { ...gzip, "if-none-match": etag }, 300);
  });
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await database.pool.end();
  await server.stop();
}
