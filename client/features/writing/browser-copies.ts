import { dropDraft, readDraft, readDrafts, writeDraft } from "../../lib/drafts/drafts.ts";
import { dropDraftPicture } from "../../lib/drafts/draft-pictures.ts";
import { contentOf, isSame, type Content } from "./content.ts";

/** A browser’s copy of a draft until the server has it. */
export type BrowserCopy = Content & {
  /** The version that it changes. */
  version: number;
  /** A text sent without a response yet: the server may have it. */
  sent?: Content | undefined;
};

const PREFIX = "draft ";
const formOf = (id: string) => PREFIX + id;

/** @returns whether the browser has it now: its storage may be full or blocked */
export const storeCopy = (owner: string, id: string, { version, sent, ...content }: BrowserCopy): boolean =>
  writeDraft(owner, formOf(id), {
    ...contentOf(content),
    version: String(version),
    ...(sent && { sent: JSON.stringify(contentOf(sent)) }),
  });

/** @param text deletes only a copy of this text */
export function dropCopy(owner: string, id: string, text?: Content): void {
  const copy = text && readCopy(owner, id);
  if (!copy || isSame(copy, text)) dropDraft(owner, formOf(id));
}

/** The browser's form of what is published with a draft, until the server has it. */
export const publicationFormOf = (id: string) => `publish ${id}`;

/** Deletes all that this browser has of a draft. */
export function dropCopies(owner: string, id: string): void {
  dropCopy(owner, id);
  dropDraft(owner, publicationFormOf(id));
  void dropDraftPicture(publicationFormOf(id));
}

export function readCopy(owner: string, id: string): BrowserCopy | null {
  const values = readDraft(owner, formOf(id));
  return values && copyOf(values);
}

export const readCopies = (owner: string): (BrowserCopy & { id: string })[] =>
  Object.entries(readDrafts(owner))
    .filter(([form]) => form.startsWith(PREFIX))
    .map(([form, values]) => ({ id: form.slice(PREFIX.length), ...copyOf(values) }));

function copyOf({ title = "", category = "", description = "", version, sent }: Record<string, string>) {
  const content = { title, category, description };
  return { ...content, version: Number(version), sent: sent ? (JSON.parse(sent) as Content) : undefined };
}
