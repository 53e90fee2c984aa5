import { sleep } from "../../faults/testing/observations.ts";
import { json, type Person } from "../../faults/testing/people.ts";
import type { History } from "../../faults/testing/history.ts";
import type { Outcomes } from "./outcomes.ts";

/** An own write that the next successful read of its writer did not show. */
export type Stale = { fact: string; milliseconds: number };

type Scene = { site: string; postId: string; outcomes: Outcomes };

/** How long an own read is repeated while it fails, or is stale. */
const PATIENCE = 20_000;

/** A history that reads each acknowledged write back, through the same address. */
export function readOwnWrites(
  scene: Scene & { history: History; stale: Stale[] },
  person: Person,
  wrote: (post: string) => void,
): History {
  const { history, stale, outcomes } = scene;
  const ids = new Map<string, string>();
  return {
    ...history,
    async write(fact, state, call) {
      const [kind = "", key = ""] = fact.split(" ");
      const response = await history.write(fact, state, async () => {
        const sent = await outcomes.send("writer", kind, call);
        if (!sent) throw new Error("no response");
        return sent;
      });
      if (!response?.ok) return response;
      if (kind === "post" && state === "there") {
        const { id } = (await response.clone().json()) as { id: string };
        ids.set(key, id);
        wrote(id);
      }
      const read = readerOf(scene, person, { kind, key, state, id: ids.get(key) ?? "" });
      const late = await confirm(read);
      if (late !== null) stale.push({ fact, milliseconds: late });
      return response;
    },
  };
}

/** @returns null when the first answer shows the write, otherwise how much later an answer showed it */
async function confirm(read: () => Promise<boolean | null>): Promise<number | null> {
  const began = performance.now();
  let answered: number | null = null;
  for (;;) {
    const isFresh = await read();
    const now = performance.now();
    if (isFresh) return answered === null ? null : now - answered;
    if (isFresh === false) answered ??= now;
    if (now - began > PATIENCE) return answered === null ? null : Infinity;
    await sleep(isFresh === null ? 100 : 5);
  }
}

type Fact = { kind: string; key: string; state: string; id: string };

/** @returns reads whether the state shows; null without an answer */
function readerOf({ site, postId, outcomes }: Scene, person: Person, { kind, key, state, id }: Fact) {
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = json(person.token);
    const response = await outcomes.send("own read", kind, () => fetch(site + path, { headers, ...init }));
    return response && response.status < 500 ? response : null;
  };
  const query = async (text: string) => {
    const response = await ask("/graphql", { method: "POST", body: JSON.stringify({ query: text }) });
    const result = (await response?.json()) as
      { data: { post: object } | null; errors?: unknown } | undefined;
    return result?.data && !result.errors ? JSON.stringify(result.data) : null;
  };
  const reads: Record<string, () => Promise<boolean | null>> = {
    async post() {
      const response = await ask(`/api/posts/${id}`);
      if (!response) return null;
      return state === "absent" ? response.status === 404 : (await response.text()).includes(key);
    },
    async comment() {
      const found = await query(`{ post(id: "${postId}") { comments(last: 50) { nodes { text } } } }`);
      return found === null ? null : found.includes(key);
    },
    async like() {
      const found = await query(`{ post(id: "${postId}") { viewerHasLiked } }`);
      return found === null ? null : found.includes(String(state === "there"));
    },
    async bio() {
      const response = await ask(`/api/users/profile/${person.id}`);
      return response === null ? null : (await response.text()).includes(state);
    },
  };
  return reads[kind] ?? (() => Promise.resolve(true));
}
