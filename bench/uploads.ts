// Memory of all processes after thousands of small uploads, each of which replaces the picture of a post.
import { loadavg } from "node:os";
import { openDatabase, openServer, standard, tokenOf } from "./data.ts";
import type { Running } from "./measure.ts";
import { highestMemory, memoryOf, memoryOfAll } from "./memory.ts";
import { takePicture } from "./pictures.ts";
import { openResults, think } from "./users.ts";
import { withBlog } from "./with-blog.ts";

/** MB of all processes, common pages counted once. */
const GOAL = 180;
const UPLOADS = Number(process.env["UPLOADS"] ?? 5_000);
/** Accounts, and IP addresses of each. */
const [ACCOUNTS, ADDRESSES] = [4, 4];
/** Average milliseconds between two uploads of an account. */
const PAUSE = Number(process.env["PAUSE"] ?? 0);
/** Milliseconds until the jobs have made the other files, and until an idle encoder has ended. */
const [JOBS, IDLE] = [10_000, 65_000];

async function upload(blog: Running, posts: string[][]): Promise<void> {
  const results = openResults(["upload"]);
  const picture = new Blob([new Uint8Array(await takePicture(320, 240))], { type: "image/jpeg" });
  const account = async (person: number) => {
    for (let n = 0; n < UPLOADS / ACCOUNTS; n++) {
      const own = posts[person - 1] ?? [];
      const form = new FormData();
      form.append("image", picture, "picture.jpg");
      // As a proxy reports it: the pictures of one IP address may take the encoder a minute of ten.
      const address = `192.0.2.${person + ACCOUNTS * (n % ADDRESSES)}`;
      const headers = { authorization: `Bearer ${tokenOf(person)}`, "x-forwarded-for": address };
      const path = `/api/posts/update-image/${own[n % own.length]}`;
      await results.send(blog.origin, "upload", [path, { method: "PUT", headers, body: form }]);
      await think(PAUSE);
    }
  };
  console.log(`${UPLOADS} pictures of ${Math.round(picture.size / 1_024)} KB by ${ACCOUNTS} accounts …`);
  const before = await memoryOf(blog);
  const uploads = Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => account(n + 1)));
  const highest = await highestMemory(blog, uploads);
  await uploads;
  results.print();
  console.log(`\nMB: server before ${before}; highest: server ${highest.server}, all ${highest.distinct}`);
  await new Promise((done) => setTimeout(done, JOBS));
  const { distinct } = await memoryOfAll(blog);
  console.log(`after ${JOBS / 1_000} s: server ${await memoryOf(blog)}, all ${distinct} (goal ≤ ${GOAL})`);
  await new Promise((done) => setTimeout(done, IDLE));
  const idle = await memoryOfAll(blog);
  console.log(`after another ${IDLE / 1_000} s: server ${await memoryOf(blog)}, all ${idle.distinct}`);
  const isMet = distinct <= GOAL && results.countFailures() === 0;
  console.log(`load average ${loadavg()[0]?.toFixed(1)}; ${isMet ? "goal met" : "the goal is missed"}`);
  process.exitCode = isMet ? 0 : 1;
}

const server = await openServer();
const database = await openDatabase(server.url, standard, "bench_uploads");
try {
  const { rows } = await database.pool.query<{ ids: string[] }>(
    `SELECT array_agg(post.id) AS ids FROM "Post" post JOIN "User" account ON account.id = "userId"
     WHERE username = ANY ($1) GROUP BY username ORDER BY username`,
    [Array.from({ length: ACCOUNTS }, (_, n) => `Person ${n + 1}`)],
  );
  const posts = rows.map(({ ids }) => ids);
  await withBlog("uploads", database.url, { TRUST_PROXY: "1" }, (blog) => upload(blog, posts));
} finally {
  await database.pool.end();
  await server.stop();
}
