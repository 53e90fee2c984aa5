// Mixed load: 90 % reading, 8 % likes and comments, 2 % publishing with a picture.
import { loadavg } from "node:os";
import { openDatabase, openServer, standard, tokenOf } from "./data.ts";
import { takePicture } from "./pictures.ts";
import type { Running } from "./measure.ts";
import { highestMemory, memoryOf, memoryOfAll } from "./memory.ts";
import { openResults, pickPost, readingRequest, think, type Request } from "./users.ts";
import { withBlog } from "./with-blog.ts";

const SECONDS = Number(process.env["SECONDS"] ?? 30);
/** Seconds of the same load before responses are counted: V8 compiles the code of a process that has just started. */
const WARM_UP = Number(process.env["WARM_UP"] ?? 10);
const PEOPLE = Number(process.env["PEOPLE"] ?? 60);
/** Accounts that are signed in. */
const ACCOUNTS = 32;
/** Average milliseconds between a response and the user's next request. */
const THINK_TIME = 1_000;

const kinds = ["page", "API", "like", "comment", "publish"] as const;
type Kind = (typeof kinds)[number];

function chooseKind(): Kind {
  const chance = Math.random() * 100;
  if (chance < 60) return "page";
  if (chance < 90) return "API";
  if (chance < 95) return "like";
  return chance < 98 ? "comment" : "publish";
}

function requestOf(kind: Kind, person: number, posts: string[], picture: Buffer): Request {
  if (kind === "page" || kind === "API") return readingRequest(kind, posts);
  const post = pickPost(posts);
  const authorization = `Bearer ${tokenOf(person)}`;
  const json = { authorization, "content-type": "application/json" };
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

const withEncoders = ({ sum, distinct }: { sum: number; distinct: number }) =>
  `with its encoders ${sum}, ${distinct} with common pages counted once`;

async function simulate(blog: Running, posts: string[]): Promise<void> {
  const warmUp = openResults(kinds);
  const results = openResults(kinds);
  const picture = await takePicture(1_600, 1_067);
  // The garbage of the start is collected.
  await new Promise((done) => setTimeout(done, 3_000));
  const before = await memoryOf(blog);
  const counted = Date.now() + WARM_UP * 1_000;
  const end = counted + SECONDS * 1_000;
  console.log(
    `${PEOPLE} users for ${WARM_UP} + ${SECONDS} s; a picture of ${Math.round(picture.length / 1_024)} KB …`,
  );
  const simulateUser = async (user: number) => {
    while (Date.now() < end) {
      await think(THINK_TIME);
      const kind = chooseKind();
      const phase = Date.now() < counted ? warmUp : results;
      const [path, init] = requestOf(kind, 1 + (user % ACCOUNTS), posts, picture);
      // As a proxy reports it: an address for each user.
      const headers = { ...init.headers, "x-forwarded-for": `192.0.2.${user}` };
      await phase.send(blog.origin, kind, [path, { ...init, headers }]);
    }
  };
  const users = Promise.all(Array.from({ length: PEOPLE }, (_, user) => simulateUser(user)));
  const printMemory = async () => {
    const [alone, all] = await Promise.all([memoryOf(blog), memoryOfAll(blog)]);
    console.log(
      `after ${WARM_UP + Math.round((Date.now() - counted) / 1_000)} s: ${alone} MB, ${withEncoders(all)}`,
    );
  };
  const timer = setInterval(() => void printMemory(), (SECONDS * 1_000) / 12);
  const highest = await highestMemory(blog, users);
  await users;
  clearInterval(timer);
  console.log(`\nThe first ${WARM_UP} s after the start:`);
  warmUp.print();
  console.log(`\nThe ${SECONDS} s after them:`);
  results.print();
  console.log(
    `\nMB: before ${before}, highest ${highest.server}, ${withEncoders(highest)}, after ${await memoryOf(blog)}`,
    `\nof these only the server's and each encoder's ${highest.own.join(" + ")}`,
    `\nload average ${loadavg()[0]?.toFixed(1)}`,
  );
}

const server = await openServer();
const database = await openDatabase(server.url, standard, "bench_mix");
try {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 500',
  );
  const posts = rows.map(({ id }) => id);
  await withBlog("mix", database.url, { TRUST_PROXY: "1" }, (blog) => simulate(blog, posts));
} finally {
  await database.pool.end();
  await server.stop();
}
