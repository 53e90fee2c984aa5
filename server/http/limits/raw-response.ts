import type { ErrorCode } from "../../errors.ts";

/** The bytes of a refusal that ends its connection, in the shape of all other errors: for where Node has no response. */
export function rawResponse(status: string, { message, code }: { message: string; code: ErrorCode }): string {
  const body = JSON.stringify({ message, code, errors: [{ message, extensions: { code } }] });
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
