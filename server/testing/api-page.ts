import { print, parse } from "graphql";
import { statusOf, type ErrorCode } from "../errors.ts";
import type { Example } from "./api-examples.ts";
import type { FormPart } from "./forms.ts";

// Generates docs/api.md from real requests.

const meanings: Record<ErrorCode, string> = {
  BAD_USER_INPUT:
    "The input is invalid; `fields` has a message for each invalid field, if it concerns fields.",
  UNAUTHENTICATED: "The token is missing, invalid or expired: sign in.",
  FORBIDDEN: "The account may not do this.",
  REAUTHENTICATION_REQUIRED:
    "The sign-in is older than two hours: send `currentPassword` too, or sign in again. The session stays valid.",
  NOT_FOUND: "The object or the URL does not exist.",
  METHOD_NOT_ALLOWED: "The URL does not support the method, such as GET for a mutation.",
  REQUEST_TIMEOUT: "The request was sent too slowly: send it again.",
  CONFLICT:
    "The name is taken, the blog has the most categories, the last admin would be deleted, the `Idempotency-Key` was used for other input, or another client changed the draft: `current` is its current state.",
  PAYLOAD_TOO_LARGE: "The body or the file is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not JSON, or the file not a picture of a supported format.",
  RATE_LIMITED:
    "Too many attempts; `Retry-After` (in GraphQL `extensions.retryAfter`) is the number of seconds to wait, `RateLimit` the state of the limit.",
  INTERNAL_SERVER_ERROR: "An error of the server; the log has its `requestId`.",
  UNAVAILABLE: "The database is unreachable or the server overloaded: retry after `Retry-After`.",
  INSUFFICIENT_STORAGE: "The disk has no space for it.",
};

export const codeTable = () =>
  ["| code | status | meaning |", "| --- | --- | --- |"]
    .concat(
      Object.entries(statusOf).map(
        ([code, status]) => `| \`${code}\` | ${status} | ${meanings[code as ErrorCode]} |`,
      ),
    )
    .join("\n");

type Responses = { graphql: unknown; rest: { status: number; body: unknown } | null };

export function renderExample({ title, as, graphql, rest }: Example, responses: Responses): string {
  const inRest =
    rest && responses.rest
      ? [sendInRest(rest, as), answered(responses.rest.body, ` ${responses.rest.status}`)]
      : ["Only in GraphQL."];
  const cells = [[sendInGraphql(graphql, as), answered(responses.graphql)], inRest];
  const columns = cells.map((cell) => `<td valign="top">\n\n${cell.join("\n\n")}\n\n</td>`);
  return [
    `### ${title}`,
    "",
    "<table><tr><th>GraphQL</th><th>REST</th></tr><tr>",
    ...columns,
    "</tr></table>",
  ].join("\n");
}

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const answered = (body: unknown, status = "") => `Response${status}:\n\n${block("json", show(body))}`;
const bearer = (as: Example["as"]) => (as ? ["-H 'Authorization: Bearer TOKEN'"] : []);

function sendInGraphql(
  { query, variables, file, path = "variables.image" }: Example["graphql"],
  as: Example["as"],
): string {
  if (!file) {
    const parts = [block("graphql", print(parse(query)))];
    if (variables) parts.push(block("json", show(variables)));
    return [...(as ? ["With a token."] : []), ...parts].join("\n\n");
  }
  const operations = JSON.stringify({ query, variables });
  return curl("/graphql", [
    ...bearer(as),
    "-H 'Apollo-Require-Preflight: true'",
    `-F operations='${operations}'`,
    `-F map='${JSON.stringify({ 0: [path] })}'`,
    "-F 0=@picture.jpg",
  ]);
}

function sendInRest({ method, path, body, form }: NonNullable<Example["rest"]>, as: Example["as"]): string {
  if (form) return curl(`/api${path}`, [`-X ${method}`, ...bearer(as), ...form.map(asOption)]);
  const head = [`${method} /api${path}`, ...(as ? ["Authorization: Bearer TOKEN"] : [])];
  return block(
    "http",
    body ? [...head, "Content-Type: application/json", "", show(body)].join("\n") : head.join("\n"),
  );
}

const asOption = ({ name, value, filename }: FormPart) =>
  filename === undefined ? `-F ${name}='${String(value)}'` : `-F ${name}=@${filename}`;
const curl = (path: string, options: string[]) =>
  block("sh", [`curl http://localhost:4000${path}`, ...options].join(" \\\n  "));

/** Shortens lists to their first row, and replaces values that differ on every run. */
function show(value: unknown): string {
  const shorten = (_key: string, each: unknown) =>
    Array.isArray(each) && each.length > 1 ? [each[0], `… ${each.length - 1} more`] : each;
  return JSON.stringify(value, shorten, 2)
    .replaceAll('"new"', '"0193a1c2-7d3e-7b4a-9c58-2f6e1d0a4b37"')
    .replaceAll("/new/", "/0193a1c2-7d3e-7b4a-9c58-2f6e1d0a4b37/")
    .replaceAll('"now"', '"2026-11-21T09:30:00.000Z"')
    .replace(/"token": "[^"]*"/g, '"token": "TOKEN"');
}
