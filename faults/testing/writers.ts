import { randomUUID } from "node:crypto";
import { makePicture } from "../../server/testing/pictures.ts";
import type { History } from "./history.ts";
import { CATEGORY, json, type Person } from "./people.ts";

const picture = await makePicture("jpeg", 640, 480);

export const postFact = (title: string) => `post ${title}`;
export const commentFact = (text: string) => `comment ${text}`;
export const likeFact = (postId: string, userId: string) => `like ${postId} ${userId}`;
export const bioFact = (userId: string) => `bio ${userId}`;

type Scene = { site: string; postId: string; history: History };

function postForm(title: string, category: string): FormData {
  const form = new FormData();
  form.set("title", title);
  form.set("description", `This is all that ${title} says.`);
  form.set("category", category);
  form.set("image", new Blob([new Uint8Array(picture)]), "a.jpg");
  return form;
}

export function createWriter({ site, postId, history }: Scene, { id, token }: Person) {
  const own: { id: string; title: string }[] = [];
  let likes = false;
  const authorization = { authorization: `Bearer ${token}` };
  const send = (method: string, path: string, body: object) => () =>
    fetch(site + path, { method, headers: json(token), body: JSON.stringify(body) });
  const upload = (title: string, category: string) => () =>
    fetch(`${site}/api/posts`, { method: "POST", headers: authorization, body: postForm(title, category) });

  const actions = {
    async post() {
      const title = randomUUID();
      const response = await history.write(postFact(title), "there", upload(title, CATEGORY));
      if (response?.ok) own.push({ id: ((await response.json()) as { id: string }).id, title });
    },
    async remove() {
      const post = own.shift();
      if (!post) return actions.comment();
      const call = () => fetch(`${site}/api/posts/${post.id}`, { method: "DELETE", headers: authorization });
      await history.write(postFact(post.title), "absent", call);
    },
    async comment() {
      const text = randomUUID();
      await history.write(commentFact(text), "there", send("POST", "/api/comments", { postId, text }));
    },
    async like() {
      likes = !likes;
      const verb = likes ? "likePost" : "unlikePost";
      const query = `mutation { ${verb}(id: "${postId}") { id } }`;
      const state = likes ? "there" : "absent";
      await history.write(likeFact(postId, id), state, async () => {
        const response = await send("POST", "/graphql", { query })();
        // A proxy's response is no JSON.
        if (!response.ok) return response;
        const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
        const isAway = errors?.some(({ extensions }) => extensions.code === "UNAVAILABLE");
        return errors ? new Response(null, { status: isAway ? 503 : 400 }) : new Response();
      });
    },
    async bio() {
      const bio = randomUUID();
      await history.write(bioFact(id), bio, send("PUT", `/api/users/profile/${id}`, { bio }));
    },
    /** Sends invalid writes, which must leave no trace. */
    async mistake() {
      const [title, text] = [randomUUID(), randomUUID()];
      await history.write(postFact(title), "there", upload(title, "No such category"));
      const body = { postId: randomUUID(), text };
      await history.write(commentFact(text), "there", send("POST", "/api/comments", body));
    },
  };

  const choose = () => {
    const dice = Math.random();
    if (dice < 0.1) return actions.post();
    if (dice < 0.14) return actions.remove();
    if (dice < 0.6) return actions.comment();
    if (dice < 0.8) return actions.like();
    return dice < 0.96 ? actions.bio() : actions.mistake();
  };
  return { ...actions, choose };
}

/** Runs all writers until `isOver`. @returns resolves when the last request has ended */
export async function writeUntil(
  isOver: () => boolean,
  writers: ReturnType<typeof createWriter>[],
): Promise<void> {
  await Promise.all(
    writers.map(async (writer) => {
      while (!isOver()) await writer.choose();
    }),
  );
}
