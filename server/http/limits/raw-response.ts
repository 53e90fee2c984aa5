import type { ErrorCode } from "../../errors.ts";

export type Refusal = { message: string; code: string; requestId?: string };

/** In a shape that clients of both APIs can read. */
export const refusalBody = ({ message, ...extensions }: Refusal): string =>
  JSON.stringify({ message, ...extensions, errors: [{ message, extensions }] });

/** The bytes of a refusal that ends its connection: for where Node has no response. */
export function rawResponse(status: string, refusal: { message: string; code: ErrorCode }): string {
  const body = refusalBody(refusal);
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
