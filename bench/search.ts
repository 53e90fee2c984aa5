// Response times of searches and tag pages by the size of the blog: sequential requests, without the response cache.
import { loadavg } from "node:os";
import type pg from "pg";
import { openDatabase, openServer, standard } from "./data.ts";
import { at, SIZES, timesOf } from "./sizes.ts";
import { withBlog } from "./with-blog.ts";

const TIMES = Number(process.env["TIMES"] ?? 200);

/** Milliseconds at 100 000 posts. */
const GOAL = { posts: 100_000, p50: 30, p99: 120 };
/** The largest size against the smallest. */
const MAX_GROWTH = 2;

/** One of 20 000 words, the frequent ones far more often. */
const WORD = `(ARRAY['ka','lo','mi','ru','sen','tor','vel','bra','dun','fi'])[1 + rank % 10] ||
  (ARRAY['na','pe','ri','so','tu','gam','hol','ix','jor','quin'])[1 + rank / 10 % 10] ||
  (ARRAY['dar','eth','ost','und','wen','yl','zam','ber','cal','mor'])[1 + rank / 100 % 10] || to_hex(rank / 1000)`;
const words = (count: number | string) => `(SELECT string_agg(${WORD}, ' ')
  FROM (SELECT exp(random() * ln(20000))::int AS rank FROM generate_series(1, ${count} + n * 0)) ranks)`;

const titles = `initcap(${words(4)}) || CASE WHEN n % 5000 = 7 THEN ' Quagga' ELSE '' END`;
/**
 * "harbour" is in 30 % of the posts, "quagga" in one of 5 000, "copper kettle" in one of 50, "go" in one of 20. Only the newest
 * 100 000 have whole texts: filling a million takes hours, and a search ranks 2 000 of the newest.
 */
const texts = `${words("CASE WHEN n <= 100000 THEN 120 ELSE 8 END")} || CASE WHEN n % 10 < 3 THEN ' harbour' ELSE '' END
  || CASE n % 50 WHEN 1 THEN ' copper kettle' WHEN 2 THEN ' kettle copper' ELSE '' END
  || CASE WHEN n % 20 = 3 THEN ' go' ELSE '' END`;

const TAGS = `
  INSERT INTO "Tag" (id, name, "nameKey") SELECT gen_random_uuid(), 'tag ' || n, 'tag ' || n FROM generate_series(0, 99) n`;
const TAGGED = `
  INSERT INTO "PostTag" ("postId", "tagId", position, "createdAt")
  SELECT post.id, tag.id, 0, post."createdAt"
  FROM (SELECT id, "createdAt", row_number() OVER (ORDER BY "createdAt") AS n FROM "Post") post
  JOIN "Tag" tag ON tag."nameKey" = 'tag ' || n % 100`;

const searchFor = (query: string) => ({
  query: `query ($query: String!) { search(query: $query, first: 10) {
    totalCount isTotalExact edges { excerpt { text isMatch } node { ... on Post { id title user { username } } } } } }`,
  variables: { query },
});
const TAG_PAGE = "query ($tag: String!) { posts(tag: $tag, page: 1) { totalCount nodes { id title } } }";

const searches = {
  "one rare word": "quagga",
  "one in 30 % of the posts": "harbour",
  "a phrase": '"copper kettle"',
  "a prefix": "harb",
  "a typo": "quaga",
  "two letters": "go",
  "a word and one without": "harbour -kettle",
};

/** GraphQL operations, and the pages that a browser requests. */
const calls: Record<string, object | string> = {
  ...renamed(searches, (name) => name, searchFor),
  "posts of a tag": { query: TAG_PAGE, variables: { tag: "tag 7" } },
  ...renamed(
    searches,
    (name) => `page: ${name}`,
    (query) => `/search?q=${encodeURIComponent(query)}`,
  ),
  "page: posts of a tag": "/posts/tags/tag%207",
};

function renamed<T>(
  values: Record<string, string>,
  rename: (name: string) => string,
  make: (value: string) => T,
) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), make(value)]));
}

async function addTags(pool: pg.Pool): Promise<void> {
  const { rowCount } = await pool.query('SELECT FROM "Tag" LIMIT 1');
  if (rowCount === 0) await pool.query([TAGS, TAGGED].join(";\n"));
  await pool.query('VACUUM ANALYZE "PostTag"');
}

type Times = { p50: number; p99: number };

async function measure(serverUrl: string, posts: number): Promise<Map<string, Times>> {
  const size = { ...standard, posts, likes: 1, comments: 1, titles, texts };
  const { url, pool } = await openDatabase(serverUrl, size, `search_${posts}`);
  await addTags(pool);
  await pool.end();
  return withBlog("search", url, { READ_CACHE: "off" }, async ({ origin }) => {
    const found = new Map<string, Times>();
    for (const [name, call] of Object.entries(calls)) {
      const times = await timesOf(origin, call, TIMES);
      found.set(name, { p50: at(times, 0.5), p99: at(times, 0.99) });
    }
    return found;
  });
}

const server = await openServer();
try {
  const columns = new Map<number, Map<string, Times>>();
  for (const size of SIZES) {
    console.log(`${size} posts …`);
    columns.set(size, await measure(server.url, size));
  }
  console.log(`\np50 / p99 milliseconds of ${TIMES}; load average ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(`| | ${SIZES.join(" | ")} | growth |\n| --- |${" ---: |".repeat(SIZES.length + 1)}`);
  let isMet = true;
  for (const name of Object.keys(calls)) {
    const times = SIZES.map((size) => columns.get(size)?.get(name) ?? { p50: NaN, p99: NaN });
    const growth = (times.at(-1)?.p50 ?? NaN) / (times[0]?.p50 ?? NaN);
    const cells = times.map(({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`);
    console.log(`| ${name} | ${cells.join(" | ")} | × ${growth.toFixed(1)} |`);
    const middle = columns.get(GOAL.posts)?.get(name);
    isMet &&= growth <= MAX_GROWTH && (!middle || (middle.p50 < GOAL.p50 && middle.p99 < GOAL.p99));
  }
  console.log(isMet ? "\nall goals met" : "\na goal is missed");
  process.exitCode = isMet ? 0 : 1;
} finally {
  await server.stop();
}
