// The limit of node:http: constant bytes of the blog's responses, and 20 kB for a page.
import { serve } from "../serve.ts";

const constants = JSON.parse(process.env["CONSTANTS"] ?? "{}") as Record<string, string>;
const responses = new Map<string | undefined, { type: string; body: Buffer }>([
  ["/page", { type: "text/html; charset=utf-8", body: Buffer.from("<p>A paragraph of text.".repeat(870)) }],
]);
for (const [path, json] of Object.entries(constants))
  responses.set(path, { type: "application/json", body: Buffer.from(json) });

serve((request, _body, response) => {
  const { type, body } = responses.get(request.url) ?? { type: "text/plain", body: Buffer.from("?") };
  response.writeHead(200, { "content-type": type, "content-length": body.length });
  response.end(body);
});
