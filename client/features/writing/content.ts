export type Content = { title: string; category: string; description: string };

/** A state of a draft on the server; version 0 is one that has not been saved yet. */
export type SavedDraft = Content & { version: number; updatedAt: string };

export const contentOf = ({ title, category, description }: Content): Content => ({
  title,
  category,
  description,
});

export const isSame = (one: Content, other: Content): boolean =>
  one.title === other.title && one.category === other.category && one.description === other.description;

export const isEmpty = (content: Content): boolean =>
  isSame(content, { title: "", category: "", description: "" });

export const unsavedDraft: SavedDraft = {
  title: "",
  category: "",
  description: "",
  version: 0,
  updatedAt: "",
};

export const titleOf = ({ title }: { title: string }): string => title.trim() || "Untitled";
