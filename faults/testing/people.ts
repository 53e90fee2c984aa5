import { openDatabase } from "../../server/data/client.ts";
import { hashPassword } from "../../server/domain/accounts/passwords.ts";
import { createCategory, createPost, createUser } from "../../server/testing/factories.ts";

export const PASSWORD = "a long enough secret";
export const CATEGORY = "Craft";

export type Person = { id: string; username: string; token: string };

export const json = (token?: string) => ({
  "content-type": "application/json",
  ...(token && { authorization: `Bearer ${token}` }),
});

/** Creates accounts with sessions, and a post to comment on and like. */
export async function fillBlog(site: string, databaseUrl: string, names: string[]) {
  const { db, close } = openDatabase(databaseUrl, { pool: 2 });
  const passwordHash = await hashPassword(PASSWORD);
  await createCategory(db, CATEGORY);
  const people: Person[] = [];
  for (const username of names) {
    const { id, email } = await createUser(db, { username, passwordHash });
    const body = JSON.stringify({ email, password: PASSWORD });
    const response = await fetch(`${site}/api/auth/login`, { method: "POST", headers: json(), body });
    people.push({ id, username, token: ((await response.json()) as { token: string }).token });
  }
  const [first] = people;
  if (!first) throw new Error("at least one account is required");
  // The picture has no files, because the tests never load it.
  const { id: postId } = await createPost(db, { userId: first.id, title: "The first post" });
  await close();
  return { people, postId };
}
