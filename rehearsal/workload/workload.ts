import type { History } from "../../faults/testing/history.ts";
import { sleep } from "../../faults/testing/observations.ts";
import { json, PASSWORD, type Person } from "../../faults/testing/people.ts";
import { createWriter } from "../../faults/testing/writers.ts";
import { createOutcomes } from "./outcomes.ts";
import { readOwnWrites, type Stale } from "./own-reads.ts";

const READERS = 4;
/** Milliseconds between two requests of a reader, of a writer, and between two registrations. */
const PAUSES = { read: 20, write: 40, register: 1_000 };

export type Scene = {
  site: string;
  postId: string;
  people: Person[];
  history: History;
  /** Posts that readers open: those of the beginning, and new ones. */
  posts: string[];
  /** Addresses of accounts whose registration was acknowledged. */
  registered: string[];
};

/** Readers, writers and registrations, until `stop`. */
export function startWorkload(scene: Scene) {
  const outcomes = createOutcomes();
  const stale: Stale[] = [];
  let isOver = false;

  const repeat = async (pause: number, work: () => Promise<unknown>) => {
    while (!isOver) {
      await work();
      await sleep(pause);
    }
  };
  const read = () => outcomes.send("reader", "page", () => fetch(scene.site + choosePath(scene.posts)));
  const register = registration(scene, (call) => outcomes.send("writer", "registration", call));
  const writers = scene.people.map((person) => {
    const wrote = (post: string) => void scene.posts.push(post);
    return createWriter(
      { ...scene, history: readOwnWrites({ ...scene, outcomes, stale }, person, wrote) },
      person,
    );
  });
  const running = Promise.all([
    ...Array.from({ length: READERS }, () => repeat(PAUSES.read, read)),
    ...writers.map((writer) => repeat(PAUSES.write, writer.choose)),
    repeat(PAUSES.register, register),
  ]);
  return {
    outcomes,
    stale,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

type Send = (call: () => Promise<Response>) => Promise<Response | null>;

export const registration =
  ({ site, registered }: Scene, send: Send = (call) => call()) =>
  async () => {
    const username = `Person ${crypto.randomUUID().slice(0, 8)}`;
    const email = `${username.replace(" ", ".").toLowerCase()}@example.org`;
    const body = JSON.stringify({ username, email, password: PASSWORD });
    const init = { method: "POST", headers: json(), body };
    const response = await send(() => fetch(`${site}/api/auth/register`, init));
    if (response?.ok) registered.push(email);
    return response?.ok === true;
  };

/** Most readers want what is new. */
function choosePath(posts: string[]): string {
  const post = posts[posts.length - 1 - Math.floor(Math.random() ** 3 * posts.length)] ?? "";
  const paths = ["/", `/posts?page=${1 + Math.floor(Math.random() * 20)}`, "/api/posts?pageNumber=1"];
  const details = [`/posts/details/${post}`, `/api/posts/${post}`];
  const all = [...paths, ...details, ...details];
  return all[Math.floor(Math.random() * all.length)] ?? "/";
}
