import {
  insertLink,
  insertTable,
  toggleCode,
  toggleMark,
  togglePrefix,
  type Edit,
  type TextSelection,
} from "./markdown-edits.ts";

export type Format = {
  label: string;
  sign?: string;
  /** With Ctrl or Cmd. */
  key?: string;
  /** Absent for a picture, which has to be uploaded first. */
  edit?: (selected: TextSelection) => Edit;
};

export const formats: Format[] = [
  { label: "Bold", sign: "B", key: "b", edit: (selected) => toggleMark(selected, "**") },
  { label: "Italic", sign: "I", key: "i", edit: (selected) => toggleMark(selected, "*") },
  { label: "Heading", sign: "H", edit: (selected) => togglePrefix(selected, "## ") },
  { label: "Link", key: "k", edit: insertLink },
  { label: "List", edit: (selected) => togglePrefix(selected, "- ") },
  { label: "Quote", edit: (selected) => togglePrefix(selected, "> ") },
  { label: "Code", key: "e", edit: toggleCode },
  { label: "Table", edit: insertTable },
  { label: "Image" },
];
