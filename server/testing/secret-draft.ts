import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { ids, seed, tokens } from "./parity.ts";

/** In each text of the drafts. */
export const SECRET = "Unpublishable";
/** A category, a tag and a word of the drafts, by which tests ask for them. */
export const HIDDEN = "Quartzite";

/** Everybody except the author of the drafts. */
export const otherTokens = [null, tokens.noor, tokens.ada];

export const secretPicture = `/media/${ids.picture.slice(0, 2)}/${ids.picture}/picture.jpg`;

/** Seeds a blog, whose drafts, a new one and one of a post, contain the secrets. */
export async function seedSecretDraft(blog: TestApp): Promise<void> {
  await seed(blog);
  const description = `${SECRET} text of ${HIDDEN} ![](${secretPicture})`;
  const texts = { title: `${SECRET} ${HIDDEN}`, description, alt: `${SECRET} alt` };
  // Renderings are found by the time as well: other test files use the same ids.
  const createdAt = new Date();
  await blog.db.draft.updateMany({ data: { ...texts, category: HIDDEN, tags: [HIDDEN, SECRET], createdAt } });
  await blog.db.draft.update({ where: { id: ids.unshared }, data: { postId: ids.post } });
}

/** @param request may itself contain the word that a page repeats */
export function expectNoSecret(text: string, request: string): void {
  for (const secret of [SECRET, HIDDEN, ids.picture])
    if (!request.includes(secret)) expect(text, request).not.toContain(secret);
}
