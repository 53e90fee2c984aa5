import type { Stats } from "node:fs";
import type { OpenPicture, PictureRequest } from "../domain/ports.ts";
import { readPartFor, statFor } from "../disk.ts";
import { rangeIn, sinceIn, tagIn, unsatisfiable, type Range } from "./picture-conditions.ts";
import { nullIfMissing, typeOf } from "./picture-files.ts";

/** Responds to the conditions of a request as a bucket does. */
export const openReader =
  (fileOf: (id: string, file: string) => string): OpenPicture =>
  async (request) => {
    const path = fileOf(request.id, request.file);
    return statFor(request.origin, path)
      .then((found) => respond(path, found, request))
      .catch(nullIfMissing);
  };

const respond = async (
  path: string,
  { size, mtimeMs, mtime }: Stats,
  { file, method, origin, headers, admit }: PictureRequest,
): ReturnType<OpenPicture> => {
  const etag = `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
  const modified = mtime.toUTCString();
  const since = sinceIn(headers);
  if (tagIn(headers) === etag || (since !== null && Date.parse(modified) <= since))
    return { status: 304, headers: { etag, "last-modified": modified }, body: null };
  const ifRange = headers["if-range"];
  const range = !ifRange || ifRange === etag || ifRange === modified ? rangeIn(headers) : null;
  const part = range && partOf(range, size);
  if (range && !part) return unsatisfiable(file, size);
  const { first, end } = part ?? { first: 0, end: size };
  const isWanted = method !== "HEAD" && (!admit || (await admit(end - first)));
  return {
    status: part ? 206 : 200,
    headers: {
      "accept-ranges": "bytes",
      "content-type": typeOf(file),
      "content-length": String(end - first),
      ...(part && { "content-range": `bytes ${first}-${end - 1}/${size}` }),
      etag,
      "last-modified": modified,
    },
    body: isWanted ? await readPartFor(origin, path, first, end) : null,
  };
};

/** @returns null if the file has no byte of it */
function partOf(range: Range, size: number): { first: number; end: number } | null {
  const first = "suffix" in range ? Math.max(0, size - range.suffix) : range.first;
  const end = "suffix" in range ? size : Math.min(size, range.last + 1);
  return first < end ? { first, end } : null;
}
