// Response times by the size of the blog: the same sequential requests at each size, without the response cache.
import { loadavg } from "node:os";
import { join } from "node:path";
import { openDatabase, openServer, standard } from "./data.ts";
import { start } from "./measure.ts";

const SIZES = (process.env["SIZES"] ?? "10000,100000,1000000").split(",").map(Number);
const TIMES = Number(process.env["TIMES"] ?? 60);

const page = "query ($page: Int!) { posts(page: $page) { nodes { id title user { username } likeCount } } }";
const pager = "{ posts(page: 1) { totalCount pages } }";
const one =
  "query ($id: ID!) { post(id: $id) { id description likes comments(first: 100) { nodes { id text username } } } }";

type Operation = { name: string; query: string; variables: object };

function operationsOn(posts: number, id: string): Operation[] {
  const last = Math.ceil(posts / 3);
  return [
    { name: "first page", query: page, variables: { page: 1 } },
    { name: "middle page", query: page, variables: { page: Math.ceil(last / 2) } },
    { name: "last page", query: page, variables: { page: last } },
    { name: "one post", query: one, variables: { id } },
    { name: "pager", query: pager, variables: {} },
  ];
}

async function timeOf(origin: string, { query, variables }: Operation): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TIMES + 10; n++) {
    const began = performance.now();
    const response = await fetch(`${origin}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    if (!response.ok || text.includes(`"errors"`))
      throw new Error(`${response.status}: ${text.slice(0, 300)}`);
    if (n >= 10) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

async function measure(serverUrl: string, posts: number): Promise<Map<string, number>> {
  const { url, pool } = await openDatabase(serverUrl, {
    ...standard,
    posts,
    likes: posts * 10,
    comments: posts * 5,
  });
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM "Post" ORDER BY "createdAt" LIMIT 1 OFFSET 5000',
  );
  await pool.end();
  const blog = await start(`${posts}`, ["node", join(import.meta.dirname, "../scripts/start.mjs")], {
    DATABASE_URL: url,
    DATA_DIR: join(import.meta.dirname, ".data/growth"),
    READ_CACHE: "off",
    RATE_LIMITS: "off",
    DEMO: "off",
    LOG_LEVEL: "warn",
  });
  try {
    const times = new Map<string, number>();
    for (const operation of operationsOn(posts, rows[0]?.id ?? ""))
      times.set(operation.name, await timeOf(blog.origin, operation));
    return times;
  } finally {
    await blog.stop();
  }
}

const server = await openServer();
try {
  const columns: Map<string, number>[] = [];
  for (const size of SIZES) {
    console.log(`${size} posts …`);
    columns.push(await measure(server.url, size));
  }
  console.log(`\nmedian milliseconds of ${TIMES}; load average ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(`| | ${SIZES.join(" | ")} | growth |\n| --- |${" ---: |".repeat(SIZES.length + 1)}`);
  for (const name of columns[0]?.keys() ?? []) {
    const times = columns.map((each) => each.get(name) ?? NaN);
    const growth = (times.at(-1) ?? NaN) / (times[0] ?? NaN);
    console.log(`| ${name} | ${times.map((each) => each.toFixed(1)).join(" | ")} | × ${growth.toFixed(1)} |`);
  }
} finally {
  await server.stop();
}
