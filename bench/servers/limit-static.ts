// What node:http can do: constant buffers, of the size that the answers have; a page of 20 KB stands for HTML.
import { serve } from "../serve.ts";

const answers: Record<string, { type: string; body: Buffer }> = {
  "/W1": { type: "application/json", body: Buffer.from(process.env["W1"] ?? "{}") },
  "/W2": { type: "application/json", body: Buffer.from(process.env["W2"] ?? "{}") },
  "/page": { type: "text/html; charset=utf-8", body: Buffer.from("<p>A paragraph of text.".repeat(870)) },
};

serve((request, _body, response) => {
  const { type, body } = answers[request.url ?? ""] ?? { type: "text/plain", body: Buffer.from("?") };
  response.writeHead(200, { "content-type": type, "content-length": body.length });
  response.end(body);
});
