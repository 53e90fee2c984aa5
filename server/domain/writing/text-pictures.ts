import type { ReadCtx } from "../context.ts";
import { filesOf } from "../pictures.ts";
import type { TextPictures, Upload } from "../ports.ts";

/** As `picturesIn` in the database, whose indexes have links to pictures, too. */
const NAMED = /\/media\/[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//g;
const SHOWN = new RegExp(`${NAMED.source}picture\\.jpg`, "g");

const idsIn = (text: string, addresses: RegExp): Set<string> =>
  new Set(Array.from(text.matchAll(addresses), ([, id = ""]) => id));

/** Different pictures that one text shows; those beyond are links. */
const MAX_PICTURES = 100;

/** The ids of the pictures that a text shows, whether they exist or not. */
export const pictureIdsIn = (text: string): string[] => [...idsIn(text, SHOWN)].slice(0, MAX_PICTURES);

export const indexedPicturesIn = (text: string) => idsIn(text, NAMED);

/**
 * The uploads that a text of this author may show, by the path that the text names. Pictures of others stay links: the account
 * that uploaded one can delete it, and others need not know that it exists.
 */
export function showUploads(
  ctx: Pick<ReadCtx, "media">,
  authorId: string,
  uploads: Iterable<Upload>,
): TextPictures {
  const pictures: TextPictures = {};
  for (const { userId, picture, alt } of uploads) {
    if (userId !== authorId) continue;
    const { width, height } = picture;
    const { url, ...files } = filesOf(picture, ctx.media.pathOf);
    pictures[url] = { width, height, ...files, alt };
  }
  return pictures;
}

export async function findTextPictures(
  ctx: Pick<ReadCtx, "media" | "queries">,
  { userId, description }: { userId: string; description: string },
): Promise<TextPictures> {
  const ids = pictureIdsIn(description);
  return ids.length === 0 ? {} : showUploads(ctx, userId, (await ctx.queries.uploads(ids)).values());
}
