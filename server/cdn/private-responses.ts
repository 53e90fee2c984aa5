import type { ServerResponse } from "node:http";
import type { Middleware } from "../http/middleware.ts";

type Headers = Record<string, unknown>;

/**
 * Marks responses as private, other than those with a time for which they may be stored: Fastly ignores `no-cache` and
 * `no-store`, and CDNs choose a time for responses without Cache-Control, a 404 for instance.
 */
export const markPrivate: Middleware = (next) => (call) => {
  const { response } = call;
  const { writeHead } = response;
  response.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    const last = rest.at(-1);
    const given = typeof last === "object" && last !== null ? namesInLowerCase(rest.pop() as object) : {};
    const headers: Headers = { ...this.getHeaders(), ...given };
    headers["cache-control"] = restrict(headers["cache-control"]);
    return Reflect.apply(writeHead, this, [status, ...rest, headers]) as ServerResponse;
  } as typeof writeHead;
  next(call);
};

const restrict = (control: unknown): string => {
  if (typeof control !== "string") return "private, no-store";
  return /max-age|private/.test(control) ? control : `private, ${control}`;
};

function namesInLowerCase(head: object): Headers {
  const entries = Array.isArray(head)
    ? head.flatMap((name, index) => (index % 2 === 0 ? [[name, head[index + 1]] as const] : []))
    : Object.entries(head);
  return Object.fromEntries(entries.map(([name, value]) => [String(name).toLowerCase(), value as unknown]));
}
