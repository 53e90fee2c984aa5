import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { makeFolder, removeFolder, startNginx } from "./testing/programs.ts";

const folder = makeFolder("nginx");
afterAll(() => removeFolder(folder));

/** The counting of blog.conf, for one request of a network; nginx takes the client's address from a header. */
function configurationFor(port: number, upstream: number): string {
  const site = readFileSync("deploy/nginx/blog.conf", "utf8");
  const counting = site.slice(
    site.indexOf("map "),
    site.indexOf("server {", site.indexOf("limit_conn_zone")),
  );
  expect(site).toContain("limit_conn visitors 250;");
  expect(site).toContain("keepalive_requests 100;");
  return `${counting}
    server {
      listen 127.0.0.1:${port};
      set_real_ip_from 127.0.0.1; real_ip_header X-Client;
      limit_conn visitors 1; limit_conn_status 429;
      location / { proxy_pass http://127.0.0.1:${upstream}; }
    }`;
}

test("requests of one IPv4 address, or of one /48 of IPv6 addresses, count together", async () => {
  const slow = createServer((_request, response) => setTimeout(() => response.end("well"), 2_000));
  await once(slow.listen(0, "127.0.0.1"), "listening");
  const port = await findFreePort();
  const { port: upstream } = slow.address() as AddressInfo;
  const nginx = await startNginx(folder, configurationFor(port, upstream), port);
  const statusOf = (client: string) =>
    new Promise<number>((resolve, reject) => {
      get({ host: "127.0.0.1", port, headers: { "x-client": client } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on("error", reject);
    });
  const first = ["198.51.100.7", "2001:db8:7:1::5"].map(statusOf);
  await new Promise((done) => setTimeout(done, 300));
  expect(await Promise.all(["198.51.100.7", "2001:db8:7:1::6", "2001:db8:7:ffff::5"].map(statusOf))).toEqual([
    429, 429, 429,
  ]);
  expect(await Promise.all(["198.51.100.8", "2001:db8:8:1::5"].map(statusOf))).toEqual([200, 200]);
  expect(await Promise.all(first)).toEqual([200, 200]);
  await nginx.stop();
  slow.close();
});

test("B52-2, B53-2: refused requests are not logged, and long values are cut", async () => {
  const server = createServer((_request, response) => response.end("well"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = await findFreePort();
  const log = join(folder, "access.log");
  const site = readFileSync("deploy/nginx/blog.conf", "utf8");
  const [directive = ""] = /^ *access_log .* blog if=.*;/m.exec(site) ?? [];
  expect(site.match(/^ *error_log .* crit;$/gm)).toHaveLength(2);
  const configuration = configurationFor(port, (server.address() as AddressInfo).port)
    .replace("rate=200r/s", "rate=1r/m")
    .replace(
      "location /",
      `${directive.replace("/var/log/nginx/access.log", log)}
      limit_req zone=requests; limit_req_status 429; location = /metrics { deny all; } location /`,
    );
  const nginx = await startNginx(folder, configuration, port);
  const statusOf = async (client: string, path = "/") => {
    const headers = { "x-client": client, "user-agent": "b".repeat(3_900), referer: `c${'"'.repeat(3_900)}` };
    return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status;
  };
  expect(await statusOf("198.51.100.7", `/?${"a".repeat(3_900)}`)).toBe(200);
  for (let n = 0; n < 5; n++) expect(await statusOf("198.51.100.7")).toBe(429);
  expect(await statusOf("198.51.100.8", "/metrics")).toBe(403);
  for (let n = 0; n < 5; n++) expect(await statusOf("198.51.100.8", "/metrics")).toBe(429);
  const large = connect(port, "127.0.0.1");
  large.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\nConnection: close\r\n\r\n");
  expect(await text(large)).toMatch(/^HTTP\/1.1 413 /);
  const trace = connect(port, "127.0.0.1");
  trace.write("TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(await text(trace)).toMatch(/^HTTP\/1.1 405 /);
  await nginx.stop();
  const lines = readFileSync(log, "utf8").trim().split("\n");
  expect(lines.map((line) => [line.split(" ")[0], / (\d+) \d+ /.exec(line)?.[1]])).toEqual([
    ["198.51.100.7", "200"],
    ["198.51.100.8", "403"],
  ]);
  expect(lines[0]).toMatch(/"GET \/\?a{494}" 200 \d+ "c" "b{200}"$/);
  expect(lines[1]).toMatch(/"GET \/metrics HTTP\/1.1" 403 \d+ "c" "b{200}"$/);
  server.close();
});

/** A server of blog.conf without TLS. @param servers the lines of its upstream */
function siteFor(servers: string, listen: string): string {
  const site = readFileSync("deploy/nginx/blog.conf", "utf8");
  const map = site.slice(site.indexOf('map "$request_method'), site.indexOf("server {\n    listen 80"));
  return `${map} upstream blog { ${servers} } server { ${listen} ${site.slice(site.indexOf("proxy_http_version"))}`;
}

test("B51-1, B52-1, B53-1: HEAD requests pass without a body, and are refused with one instead of storing it", async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(`${request.method} ${request.url} ${await text(request)}`);
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const [port, port2] = [await findFreePort(), await findFreePort()];
  const upstream = `server 127.0.0.1:${(server.address() as AddressInfo).port};`;
  const listen = `listen 127.0.0.1:${port}; listen 127.0.0.1:${port2} http2;`;
  const nginx = await startNginx(folder, siteFor(upstream, listen), port);
  const http1 = async (method: string, path: string, body: string, length: string) => {
    const socket = connect(port, "127.0.0.1");
    const framed = length ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const framing = length ? `Content-Length: ${length}` : "Transfer-Encoding: chunked";
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close`;
    socket.write(body ? `${head}\r\n${framing}\r\n\r\n${framed}` : `${head}\r\n\r\n`);
    return Number((await text(socket)).split(" ")[1]);
  };
  const http2 = async (method: string, path: string, body: string, length: string) => {
    const client = connectHttp2(`http://127.0.0.1:${port2}`);
    const headers = { ":method": method, ":path": path, ...(length && { "content-length": length }) };
    const stream = client.request(headers, { endStream: body === "" }).on("error", () => undefined);
    const [response] = await Promise.all([once(stream, "response"), body && stream.end(body)]);
    client.destroy();
    return response[0][":status"];
  };
  for (const path of ["/", "/assets/x.js"])
    for (const send of [http1, http2]) {
      received.length = 0;
      expect(await send("HEAD", path, "", "")).toBe(200);
      for (const length of ["", "4"]) {
        expect(await send("POST", path, "body", length)).toBe(200);
        expect(await send("HEAD", path, "body", length)).toBe(413);
      }
      expect(received).toEqual([`HEAD ${path} `, `POST ${path} body`, `POST ${path} body`]);
    }
  await nginx.stop();
  server.close();
});

test("B46-2: while processes of two releases run, each script comes from the one that has it", async () => {
  const releases = ["old", "new"].map((release) =>
    createServer(({ url = "" }, response) => {
      const isFound = !url.startsWith("/assets/") || url.includes(release);
      response.writeHead(isFound ? 200 : 404).end();
    }),
  );
  for (const server of releases) await once(server.listen(0, "127.0.0.1"), "listening");
  const port = await findFreePort();
  const upstream = releases.map(
    (server) => `server 127.0.0.1:${(server.address() as AddressInfo).port} max_fails=0;`,
  );
  const nginx = await startNginx(folder, siteFor(upstream.join(" "), `listen 127.0.0.1:${port};`), port);
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  const paths = ["/assets/old.js", "/assets/new.js", "/assets/none.js", "/"];
  for (let n = 0; n < 4; n++) expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 404, 200]);
  await nginx.stop();
  for (const server of releases) server.close();
});
