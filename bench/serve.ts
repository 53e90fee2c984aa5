import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Starts a plain node:http server on PORT and prints when it listens. */
export function serve(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): void {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => handle(request, body, response));
  });
  server.listen(Number(process.env["PORT"]), "127.0.0.1", () => console.log("listening"));
}

export function sendJson(response: ServerResponse, json: string | Buffer): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(json) });
  response.end(json);
}
