import { request as httpRequest } from "node:http";

/** @param {() => Promise<{ port: number }>} server the current server process */
export function proxyRequest(request, response, server) {
  server().then(
    ({ port }) => send(request, response, port),
    (error) => response.writeHead(500, { "content-type": "text/plain" }).end(String(error.message)),
  );
}

function send(request, response, port) {
  const { method, url: path } = request;
  const from = request.socket.remoteAddress ?? "";
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(from);
  // The server sees only this proxy's address: pages for localhost only need the real one.
  const headers = isLocal ? request.headers : { ...request.headers, "x-forwarded-for": from };
  const proxied = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (upstream) => {
    const { "content-security-policy": _, ...rest } = upstream.headers;
    // The CSP would block Vite's scripts and styles.
    response.writeHead(upstream.statusCode, rest);
    upstream.pipe(response);
  });
  proxied.on("error", () => response.destroy());
  response.on("close", () => proxied.destroy());
  request.pipe(proxied);
}
