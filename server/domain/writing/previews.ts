import { LRUCache } from "lru-cache";
import { z } from "zod";
import { BusyError } from "../../errors.ts";
import { LENGTHS, PREVIEWS_PER_ACCOUNT } from "../../limits.ts";
import { createKeyedQueues } from "../../queue.ts";
import type { ReadCtx } from "../context.ts";
import { parseInput, typedText } from "../input.ts";
import { requireViewer } from "../permissions.ts";
import type { TextPictures, Upload } from "../ports.ts";
import type { Draft } from "./drafts.ts";
import { findTextPictures, showUploads } from "./text-pictures.ts";

const previewInput = z.strictObject({ text: typedText(LENGTHS.description[1]) });

/** The renderer takes one text of an owner at a time. */
const accountQueues = createKeyedQueues(PREVIEWS_PER_ACCOUNT, "account_previews");

/** @returns null if the renderer's queue is full @throws UNAVAILABLE */
async function renderFor(
  { markdown, origin }: ReadCtx,
  account: string,
  text: string,
  pictures: TextPictures,
) {
  const release = await accountQueues(account);
  try {
    return await markdown.preview(text, account, pictures, origin);
  } finally {
    release();
  }
}

/** Renders a text as a post's. @throws UNAUTHENTICATED, BAD_USER_INPUT, UNAVAILABLE */
export async function previewMarkdown(ctx: ReadCtx, fields: unknown): Promise<string> {
  const viewer = requireViewer(ctx);
  const { text } = parseInput(previewInput, fields);
  const pictures = await findTextPictures(ctx, { userId: viewer.id, description: text });
  const html = await renderFor(ctx, viewer.id, text, pictures);
  if (html === null) throw new BusyError(1);
  return html;
}

/** Renderings under way, by account, draft and version: all who open a preview link at once wait for one. */
const pending = new Map<string, Promise<string>>();

/** For a minute: everybody with a link may open it again and again. The id of a deleted draft may be used again. */
const rendered = new LRUCache<string, string>({
  maxSize: 20_000_000,
  sizeCalculation: ({ length }) => length + 1,
  ttl: 60_000,
});

/**
 * The text of a draft as sanitized HTML, or as plain paragraphs while the renderer is busy.
 * @param uploads the pictures that the text names
 */
export function renderDraft(ctx: ReadCtx, draft: Draft, uploads: Iterable<Upload>): Promise<string> {
  const { id, version, userId, description, createdAt } = draft;
  const key = `${userId} ${id} ${createdAt.getTime()} ${version}`;
  const stored = rendered.get(key);
  if (stored !== undefined) return Promise.resolve(stored);
  const rendering =
    pending.get(key) ??
    renderFor(ctx, userId, description, showUploads(ctx, userId, uploads))
      .catch(() => null)
      .then((html) => {
        if (html !== null) rendered.set(key, html);
        return html ?? ctx.markdown.toPlain(description);
      })
      .finally(() => pending.delete(key));
  pending.set(key, rendering);
  return rendering;
}
