// Mixed load: 90 % reading, 8 % likes and comments, 2 % publishing with a picture.
import { loadavg } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { openDatabase, openServer, standard, tokenOf } from "./data.ts";
import { memoryOf, memoryOfAll, start, type Running } from "./measure.ts";

const SECONDS = Number(process.env["SECONDS"] ?? 30);
const PEOPLE = Number(process.env["PEOPLE"] ?? 60);
/** Accounts that are signed in. */
const ACCOUNTS = 32;
/** Average milliseconds between a response and the user's next request. */
const THINK_TIME = 1_000;

type Kind = "page" | "API" | "like" | "comment" | "publish";
type Results = { times: number[]; refused: number; failed: number };

const results = new Map<Kind, Results>(
  (["page", "API", "like", "comment", "publish"] as const).map((kind) => [
    kind,
    { times: [], refused: 0, failed: 0 },
  ]),
);

const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;

/** Readers request pages and the API; the newest posts are the most frequent. */
function chooseKind(): Kind {
  const chance = Math.random() * 100;
  if (chance < 60) return "page";
  if (chance < 90) return "API";
  if (chance < 95) return "like";
  return chance < 98 ? "comment" : "publish";
}

function requestOf(kind: Kind, person: number, posts: string[], picture: Buffer): [string, RequestInit] {
  const post = posts[Math.floor(Math.random() ** 3 * posts.length)] ?? "";
  const authorization = `Bearer ${tokenOf(person)}`;
  const json = { authorization, "content-type": "application/json" };
  const accept = { accept: "text/html", "accept-encoding": "br" };
  if (kind === "page")
    return [
      pick(["/", `/posts?page=${1 + Math.floor(Math.random() * 50)}`, `/posts/details/${post}`]),
      { headers: accept },
    ];
  if (kind === "API") return [pick([`/api/posts/${post}`, "/api/posts?pageNumber=1", "/api/categories"]), {}];
  if (kind === "like") return [`/api/posts/like/${post}`, { method: "PUT", headers: { authorization } }];
  if (kind === "comment")
    return [
      "/api/comments",
      { method: "POST", headers: json, body: JSON.stringify({ postId: post, text: "Well said." }) },
    ];
  const form = new FormData();
  form.append("title", "Written while others read");
  form.append("description", "A sentence of an ordinary post. ".repeat(30));
  form.append("category", "Category 1");
  form.append("image", new Blob([new Uint8Array(picture)], { type: "image/jpeg" }), "picture.jpg");
  return ["/api/posts", { method: "POST", headers: { authorization }, body: form }];
}

async function send(origin: string, kind: Kind, [path, init]: [string, RequestInit]): Promise<void> {
  const { times, ...rest } = results.get(kind) as Results;
  const began = performance.now();
  try {
    const response = await fetch(origin + path, init);
    await response.arrayBuffer();
    if (response.ok) times.push(performance.now() - began);
    else if (response.status === 503) rest.refused++;
    else rest.failed++;
  } catch {
    rest.failed++;
  }
  results.set(kind, { times, ...rest });
}

async function simulateUser(origin: string, person: number, posts: string[], picture: Buffer, end: number) {
  while (Date.now() < end) {
    const kind = chooseKind();
    await send(origin, kind, requestOf(kind, person, posts, picture));
    await new Promise((done) => setTimeout(done, Math.random() * 2 * THINK_TIME));
  }
}

async function highestMemory(running: Running, end: number): Promise<string> {
  let [server, sum, distinct] = [0, 0, 0];
  while (Date.now() < end) {
    const all = await memoryOfAll(running);
    server = Math.max(server, await memoryOf(running));
    sum = Math.max(sum, all.sum);
    distinct = Math.max(distinct, all.distinct);
    await new Promise((done) => setTimeout(done, 500));
  }
  return `${server} MB, with its encoders ${sum} MB, ${distinct} MB with common pages counted once`;
}

/** Noise, so that the file is as large as a photograph. */
const takePicture = () =>
  sharp({
    create: {
      ...{ width: 1_600, height: 1_067, channels: 3, background: "#777" },
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();

const server = await openServer();
const database = await openDatabase(server.url, standard, "bench_mix");
const { rows } = await database.pool.query<{ id: string }>(
  'SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 500',
);
const posts = rows.map(({ id }) => id);
const blog = await start("blog", ["node", join(import.meta.dirname, "../scripts/start.mjs")], {
  DATABASE_URL: database.url,
  DATA_DIR: join(import.meta.dirname, ".data/mix"),
  RATE_LIMITS: "off",
  DEMO: "off",
  LOG_LEVEL: "warn",
});
try {
  const picture = await takePicture();
  // The garbage of the start is collected.
  await new Promise((done) => setTimeout(done, 3_000));
  const before = await memoryOf(blog);
  const end = Date.now() + SECONDS * 1_000;
  console.log(`${PEOPLE} users for ${SECONDS} s; a picture of ${Math.round(picture.length / 1_024)} KB …`);
  const watching = highestMemory(blog, end);
  await Promise.all(
    Array.from({ length: PEOPLE }, (_, n) =>
      simulateUser(blog.origin, 1 + (n % ACCOUNTS), posts, picture, end),
    ),
  );
  const at = (times: number[], share: number) => times[Math.floor(times.length * share)] ?? NaN;
  console.log(`\n| | responses | p50 ms | p99 ms | refused (503) | failed |\n| --- |${" ---: |".repeat(5)}`);
  for (const [kind, { times, refused, failed }] of results) {
    times.sort((a, b) => a - b);
    const figures = [times.length, at(times, 0.5).toFixed(1), at(times, 0.99).toFixed(1), refused, failed];
    console.log(`| ${kind} | ${figures.join(" | ")} |`);
  }
  const memory = `memory before ${before} MB, highest ${await watching}, after ${await memoryOf(blog)} MB`;
  console.log(`\n${memory}; load average ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await blog.stop();
  await database.pool.end();
  await server.stop();
}
