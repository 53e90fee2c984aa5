import { createStored } from "../local-storage-store.ts";

export type FieldValues = Record<string, string>;

type Drafts = { owner: string; forms: Record<string, FieldValues> };

const KEY = "drafts";
const stored = createStored<Drafts>(KEY);

function draftsOf(owner: string): Drafts["forms"] {
  const drafts = stored.read();
  return drafts?.owner === owner ? drafts.forms : {};
}

export const readDrafts = (owner: string): Readonly<Drafts["forms"]> => draftsOf(owner);

export const readDraft = (owner: string, form: string): FieldValues | null => draftsOf(owner)[form] ?? null;

/** @returns whether the browser's storage has it now */
export const writeDraft = (owner: string, form: string, values: FieldValues): boolean =>
  stored.write({ owner, forms: { ...draftsOf(owner), [form]: values } });

export function dropDraft(owner: string, form: string): void {
  const { [form]: dropped, ...forms } = draftsOf(owner);
  if (dropped) stored.write(Object.keys(forms).length > 0 ? { owner, forms } : null);
}

export function dropDraftsOfOthers(owner: string | null): void {
  const drafts = stored.read();
  if (drafts && drafts.owner !== owner) stored.write(null);
}

/** Calls the listener when another tab has changed any draft. @returns stops it */
export function watchOtherTabs(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === KEY || key === null ? listener() : undefined);
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}

export const hasDrafts = (): boolean => stored.read() !== null;
