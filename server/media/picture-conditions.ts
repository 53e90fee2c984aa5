import type { PictureRequest, PictureResponse } from "../domain/ports.ts";
import { typeOf } from "./picture-files.ts";

type Headers = PictureRequest["headers"];

/** One range or entity tag; of several the whole file is sent. Services disagree about all that is not sent by browsers. */
const RANGE = /^bytes=(?:(?<first>\d{1,15})-(?<last>\d{0,15})|-(?<suffix>\d{1,15}))$/;
const TAG = /^(?:W\/)?(?<etag>"[!#-~]{1,100}")$/;

export type Range = { first: number; last: number } | { suffix: number };

export function rangeIn({ range = "" }: Headers): Range | null {
  const { first, last, suffix } = RANGE.exec(range)?.groups ?? {};
  if (suffix) return { suffix: Number(suffix) };
  if (!first) return null;
  const found = { first: Number(first), last: last ? Number(last) : Infinity };
  return found.first <= found.last ? found : null;
}

export const tagIn = (headers: Headers): string | undefined =>
  TAG.exec(headers["if-none-match"] ?? "")?.groups?.["etag"];

/** Milliseconds; null without a time of the past, or beside a tag. */
export function sinceIn(headers: Headers): number | null {
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !tagIn(headers) && since > 0 && since <= Date.now() ? since : null;
}

export const unsatisfiable = (file: string, size: number | undefined): PictureResponse => ({
  status: 416,
  headers: { "content-range": `bytes */${size}`, "content-type": typeOf(file) },
  body: null,
});
