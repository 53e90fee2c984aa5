import { PICTURE_BYTES } from "../../config/limits.ts";

export const PICTURE_TYPES = "image/jpeg,image/png,image/webp,image/gif,image/avif";

/** Explains why the server would reject a file as a picture; undefined if it would not. */
export function pictureProblem({ type, size }: { type: string; size: number }): string | undefined {
  if (!PICTURE_TYPES.split(",").includes(type))
    return "This file is not a picture we can show: please choose a JPEG, PNG, WebP, GIF or AVIF";
  if (size <= PICTURE_BYTES) return undefined;
  const megabytes = (Math.ceil((size / 1024 / 1024) * 10) / 10).toFixed(1);
  return `This picture has ${megabytes} MB: please choose one of at most 10 MB`;
}

/** Returns the pasted or dropped files. Copied text may come with an image of itself and counts as text. */
export const filesIn = ({ files, types }: DataTransfer): File[] =>
  types.includes("text/plain") ? [] : [...files];

export const fileIn = (transfer: DataTransfer): File | undefined => filesIn(transfer)[0];
