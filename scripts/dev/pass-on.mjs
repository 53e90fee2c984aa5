// Passes a request on to the server's process in development.
import { request as ask } from "node:http";

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {() => Promise<{ port: number }>} server the process that answers now
 */
export function passOn(request, response, server) {
  server().then(
    ({ port }) => send(request, response, port),
    (error) => response.writeHead(500, { "content-type": "text/plain" }).end(String(error.message)),
  );
}

function send(request, response, port) {
  const { method, url: path } = request;
  const from = request.socket.remoteAddress ?? "";
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(from);
  // The server sees this process alone: what is for this machine only must know who has asked.
  const headers = isLocal ? request.headers : { ...request.headers, "x-forwarded-for": from };
  const passed = ask({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
    const { "content-security-policy": _, ...rest } = answer.headers;
    // Vite's scripts and styles are none of those that pages allow.
    response.writeHead(answer.statusCode, rest);
    answer.pipe(response);
  });
  passed.on("error", () => response.destroy());
  response.on("close", () => passed.destroy());
  request.pipe(passed);
}
