// Simulated users, whose response times are recorded by the kind of request.
import { at } from "./sizes.ts";

type Results = { times: number[]; refused: number; failed: number };

export type Request = [path: string, init: RequestInit];

/** Milliseconds until a user gives up. */
const PATIENCE = 10_000;

export const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;

/** The newest posts are the most frequent. */
export const pickPost = (posts: string[]) => posts[Math.floor(Math.random() ** 3 * posts.length)] ?? "";

/** A request of a visitor. */
export function readingRequest(kind: "page" | "API", posts: string[]): Request {
  const post = pickPost(posts);
  if (kind === "API") return [pick([`/api/posts/${post}`, "/api/posts?pageNumber=1", "/api/categories"]), {}];
  const page = pick(["/", `/posts?page=${1 + Math.floor(Math.random() * 50)}`, `/posts/details/${post}`]);
  return [page, { headers: { accept: "text/html", "accept-encoding": "br" } }];
}

/** Pauses for `average` milliseconds on average. */
export const think = (average: number) =>
  new Promise((wake) => setTimeout(wake, Math.random() * 2 * average));

export function openResults<Kind extends string>(kinds: readonly Kind[]) {
  const results = new Map(kinds.map((kind): [Kind, Results] => [kind, { times: [], refused: 0, failed: 0 }]));
  const timesOf = (kind: Kind) => (results.get(kind)?.times ?? []).sort((a, b) => a - b);
  return {
    async send(origin: string, kind: Kind, [path, init]: Request): Promise<void> {
      const of = results.get(kind) as Results;
      const began = performance.now();
      try {
        const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(PATIENCE) });
        await response.arrayBuffer();
        if (response.ok) of.times.push(performance.now() - began);
        else if (response.status === 503) of.refused++;
        else of.failed++;
      } catch {
        of.failed++;
      }
    },
    p99Of: (kind: Kind) => at(timesOf(kind), 0.99),
    /** Requests without a response, refused ones included. */
    countFailures: () => [...results.values()].reduce((sum, each) => sum + each.refused + each.failed, 0),
    print(): void {
      console.log(
        `\n| | responses | p50 ms | p99 ms | refused (503) | failed |\n| --- |${" ---: |".repeat(5)}`,
      );
      for (const [kind, { refused, failed }] of results) {
        const times = timesOf(kind);
        const middle = [at(times, 0.5).toFixed(1), at(times, 0.99).toFixed(1)];
        console.log(`| ${kind} | ${[times.length, ...middle, refused, failed].join(" | ")} |`);
      }
    },
  };
}
