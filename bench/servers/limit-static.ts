// The limit of node:http: constant bytes of the blog's responses, with HEADERS=on also its headers, and 20 kB for a page.
import { serve } from "../serve.ts";

type Constant = { text: string; headers: [string, string][] };

const constants = JSON.parse(process.env["CONSTANTS"] ?? "{}") as Record<string, Constant>;
const page = Buffer.from("<p>A paragraph of text.".repeat(870));
type Head = Record<string, string | number>;
const responses = new Map<string | undefined, { head: Head; body: Buffer }>([
  [
    "/page",
    { head: { "content-type": "text/html; charset=utf-8", "content-length": page.length }, body: page },
  ],
]);
for (const [path, { text, headers }] of Object.entries(constants)) {
  const body = Buffer.from(text);
  const own =
    process.env["HEADERS"] === "on" ? Object.fromEntries(headers) : { "content-type": "application/json" };
  const head = { ...own, "content-length": body.length };
  responses.set(path, { head, body });
}

serve((request, _body, response) => {
  const { head, body } = responses.get(request.url) ?? { head: {}, body: Buffer.from("?") };
  response.writeHead(200, head);
  response.end(body);
});
