// Ordinary readers beside clients that pipeline requests for whole lists and read nothing, and beside slow ones.
import { loadavg } from "node:os";
import { connect } from "node:net";
import { openDatabase, openServer, standard } from "./data.ts";
import type { Running } from "./measure.ts";
import { highestMemory } from "./memory.ts";
import { openResults, readingRequest, think } from "./users.ts";
import { withBlog } from "./with-blog.ts";

/** MB of the server more than with its ordinary readers alone, and milliseconds. */
const GOALS = { memory: 60, p99: 100 };
const POSTS = 5_000;
const READERS = 20;
const CALLS = 75;
/** Calls of each reader before, which load and compile the code. */
const FIRST_CALLS = 20;
/** Average milliseconds between a response and the reader's next request. */
const THINK_TIME = 400;
/** Milliseconds after which a hostile client opens its closed connection again. */
const RETURN = 1_000;
/** Milliseconds between two pieces of a slow request. */
const TRICKLE = 2_000;

const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\n`;
const login = `${head("POST /api/auth/login")}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;

const pipelined = (requests: number) => `${head("GET /api/posts")}\r\n`.repeat(requests);

/** `piece` is sent again and again. */
const hostile: { count: number; first: string; piece?: string; reads: boolean }[] = [
  { count: 20, first: pipelined(50), reads: false },
  // As many as the server does not refuse.
  { count: 20, first: pipelined(17), reads: false },
  { count: 500, first: head("GET /"), piece: "X-Slow: 1\r\n", reads: true },
  { count: 70, first: login, piece: " ", reads: true },
  { count: 300, first: `${head("GET /health")}\r\n`, reads: true },
];

/** @returns closes all connections, and returns how many the server had closed */
function attack(origin: string): () => number {
  const closings: (() => void)[] = [];
  let closed = 0;
  let isOver = false;
  const open = ({ first, piece, reads }: (typeof hostile)[number], index: number) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    socket.on("error", () => undefined);
    if (reads) socket.resume();
    socket.write(first);
    const trickle = piece && setInterval(() => socket.write(piece), TRICKLE);
    socket.on("close", () => {
      clearInterval(trickle || undefined);
      if (isOver) return;
      closed++;
      setTimeout(() => isOver || open(kinds[index] as (typeof hostile)[number], index), RETURN);
    });
    closings[index] = () => void socket.destroy();
  };
  const kinds = hostile.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  kinds.forEach(open);
  return () => {
    isOver = true;
    for (const close of closings) close();
    return closed;
  };
}

/** @returns the highest memory of the server in MB, the slowest p99 and the number of requests without a response */
async function read(blog: Running, posts: string[], calls: number) {
  const results = openResults(["page", "API"]);
  const reader = async () => {
    for (let call = 0; call < calls; call++) {
      const kind = Math.random() < 0.5 ? "page" : "API";
      await results.send(blog.origin, kind, readingRequest(kind, posts));
      await think(THINK_TIME);
    }
  };
  const readers = Promise.all(Array.from({ length: READERS }, reader));
  const { server } = await highestMemory(blog, readers);
  await readers;
  if (calls === CALLS) results.print();
  const p99 = Math.max(results.p99Of("page"), results.p99Of("API"));
  return { server, p99, failures: results.countFailures() };
}

async function compare(blog: Running, posts: string[]): Promise<void> {
  await read(blog, posts, FIRST_CALLS);
  console.log(`${READERS * CALLS} requests of ${READERS} readers alone …`);
  const alone = await read(blog, posts, CALLS);
  console.log(`\nthe same beside ${hostile.map(({ count }) => count).join(", ")} hostile connections …`);
  const stop = attack(blog.origin);
  await think(1_000);
  const beside = await read(blog, posts, CALLS);
  const more = beside.server - alone.server;
  const isMet = more <= GOALS.memory && beside.p99 <= GOALS.p99 && beside.failures === 0;
  console.log(
    `\nmemory ${alone.server} MB alone, ${beside.server} MB beside them, + ${more} MB (goal ≤ ${GOALS.memory})`,
    `\np99 ${beside.p99.toFixed(0)} ms (goal ≤ ${GOALS.p99}), ${beside.failures} failed (goal 0), ${stop()} connections closed`,
    `\nload average ${loadavg()[0]?.toFixed(1)}; ${isMet ? "all goals met" : "a goal is missed"}`,
  );
  process.exitCode = isMet ? 0 : 1;
}

const server = await openServer();
const size = { ...standard, posts: POSTS, likes: POSTS * 10, comments: POSTS * 5 };
const database = await openDatabase(server.url, size);
try {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 500',
  );
  const posts = rows.map(({ id }) => id);
  await withBlog("hostile", database.url, {}, (blog) => compare(blog, posts));
} finally {
  await database.pool.end();
  await server.stop();
}
