// Response times by the size of the blog: the same sequential requests at each size, without the response cache.
import { loadavg } from "node:os";
import { openDatabase, openServer, standard, type Size } from "./data.ts";
import { at, SIZES, timesOf } from "./sizes.ts";
import { withBlog } from "./with-blog.ts";

const TIMES = Number(process.env["TIMES"] ?? 60);

/** Growth from the smallest to the largest size. */
const MAX_GROWTH = 2;

const nodes = "nodes { id title user { username } likeCount }";
const page = `query ($page: Int!) { posts(page: $page) { ${nodes} } }`;
const category = `query ($title: String!) { posts(category: $title, first: 24) { ${nodes} pageInfo { endCursor } } }`;
const author = `query ($id: ID!) { profile(id: $id) { username posts(first: 12) { ${nodes} pageInfo { endCursor } } } }`;
const counts = "{ categories { id title postCount } }";
const pager = "{ posts(page: 1) { totalCount pages } }";
const one =
  "query ($id: ID!) { post(id: $id) { id description likes comments(first: 100) { nodes { id text username } } } }";

type Operation = { name: string; query: string; variables: object };

type Ids = { id: string; userId: string };

function operationsOn(posts: number, { id, userId }: Ids): Operation[] {
  const last = Math.ceil(posts / 3);
  return [
    { name: "first page", query: page, variables: { page: 1 } },
    { name: "middle page", query: page, variables: { page: Math.ceil(last / 2) } },
    { name: "last page", query: page, variables: { page: last } },
    { name: "one post", query: one, variables: { id } },
    { name: "category", query: category, variables: { title: "Category 1" } },
    { name: "author", query: author, variables: { id: userId } },
    { name: "posts of categories", query: counts, variables: {} },
    { name: "pager", query: pager, variables: {} },
  ];
}

/** Beyond a million, short texts, a like and a comment per tenth post, and no search, so that the blog fits on a disk. */
function sizeOf(posts: number): Size {
  if (posts <= 1_000_000) return { ...standard, posts, likes: posts * 10, comments: posts * 5 };
  const texts = "left(repeat('A sentence of an ordinary post. ', 7), 200)";
  return { ...standard, posts, likes: posts / 10, comments: posts / 10, texts, hasSearch: false };
}

async function measure(serverUrl: string, posts: number): Promise<Map<string, number>> {
  const { url, pool } = await openDatabase(serverUrl, sizeOf(posts));
  const { rows } = await pool.query<Ids>(
    'SELECT id, "userId" FROM "Post" ORDER BY "createdAt" LIMIT 1 OFFSET 5000',
  );
  await pool.end();
  return withBlog("growth", url, { READ_CACHE: "off" }, async ({ origin }) => {
    const times = new Map<string, number>();
    for (const { name, ...operation } of operationsOn(posts, rows[0] as Ids))
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
    if (!(growth <= MAX_GROWTH)) process.exitCode = 1;
    console.log(`| ${name} | ${times.map((each) => each.toFixed(1)).join(" | ")} | × ${growth.toFixed(1)} |`);
  }
} finally {
  await server.stop();
}
