// Response times by the size of the blog: the same sequential requests at each size, without the response cache.
import { loadavg } from "node:os";
import { openDatabase, openServer, standard } from "./data.ts";
import { at, SIZES, timesOf, withBlog } from "./sizes.ts";

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
  return withBlog("growth", url, async (origin) => {
    const times = new Map<string, number>();
    for (const { name, ...operation } of operationsOn(posts, rows[0]?.id ?? ""))
      times.set(name, at(await timesOf(origin, operation, TIMES), 0.5));
    return times;
  });
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
