import { request as startRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { registerInput } from "../domain/accounts/accounts.ts";
import { categoryInput } from "../domain/categories.ts";
import { commentInput, commentText } from "../domain/comments.ts";
import { resetInput, resetRequest } from "../domain/accounts/password-resets.ts";
import { postChanges, postInput } from "../domain/posts/post-changes.ts";
import { profileChanges } from "../domain/profiles.ts";
import { loginInput } from "../domain/accounts/sessions.ts";
import { buildBlogSchema } from "../graphql/schema.ts";
import { usedMemory } from "../testing/memory.ts";
import { links } from "../testing/account-pair.ts";
import { restoreSeed } from "../testing/auth-cases.ts";
import { startRouteInventory } from "../testing/route-inventory.ts";
import { malformedGraphql } from "../testing/malformed-graphql.ts";
import { malformedRequests, type Request } from "../testing/malformed.ts";
import { createResponseValidator, type ApiDocument } from "../testing/api-document.ts";
import { ids, tokens } from "../testing/parity.ts";

// MALFORMED=10000 sends more requests; SEED=7 sends others.

const COUNT = Number(process.env["MALFORMED"] ?? 1_000);
const SEED = Number(process.env["SEED"] ?? 1);
const BATCH = 50;

let blog: Awaited<ReturnType<typeof startRouteInventory>>["blog"];
let validateResponse: ReturnType<typeof createResponseValidator>;
let makeRequests: () => fc.Arbitrary<Request>;
beforeAll(async () => {
  const declared = await startRouteInventory();
  blog = declared.blog;
  blog.services.rateLimitsEnabled = false;
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
  validateResponse = createResponseValidator(
    (await blog.app.inject("/api/openapi.json")).json<ApiDocument>(),
  );
  const routes = declared.routes.filter(
    ({ method, url }) => /^(GET|POST|PUT|DELETE)$/.test(method) && !url.includes("/assets/"),
  );
  const schema = buildBlogSchema();
  const references = [...Object.values(ids), links.verify, links.reset];
  const bearers = [tokens.maya, tokens.ada];
  makeRequests = () =>
    fc.oneof(
      {
        weight: 3,
        arbitrary: malformedRequests(routes, { ids: references, tokens: bearers, fields: fieldsOf }),
      },
      { weight: 2, arbitrary: malformedGraphql(schema, references, bearers) },
    );
});

const bodies: Record<string, z.ZodObject> = {
  "POST /api/auth/register": registerInput,
  "POST /api/auth/login": loginInput,
  "POST /api/password/reset-password-link": resetRequest,
  "POST /api/password/reset-password/:id/:token": resetInput,
  "POST /api/posts": postInput,
  "PUT /api/posts/:id": postChanges,
  "POST /api/comments": commentInput,
  "PUT /api/comments/:id": commentText,
  "POST /api/categories": categoryInput,
  "PUT /api/users/profile/:id": profileChanges,
};
const right: Record<string, fc.Arbitrary<unknown>> = {
  email: fc.constantFrom("maya@example.com", "una@example.com", "new@example.com"),
  postId: fc.constantFrom(...Object.values(ids)),
  category: fc.constantFrom("Craft", "Gone", "craft"),
};
const fieldsOf = ({ method, url }: { method: string; url: string }) =>
  Object.fromEntries(
    Object.keys(bodies[`${method} ${url}`]?.shape ?? {}).map((name) => [
      name,
      right[name] ?? fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 }),
    ]),
  );

type Received = { status: number; headers: IncomingHttpHeaders; text: string };
const ask = ({ method, path, headers, body }: Request): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = blog.app.server.address() as AddressInfo;
    // Node's client sets no Content-Length for DELETE.
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = {
      host: "127.0.0.1",
      port,
      agent: false,
      method,
      path,
      headers: { ...headers, ...length },
    };
    startRequest(options, (response) => {
      const received = (text: string) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      readText(response).then(received, reject);
    })
      .on("error", (error) => {
        // After a 431 the server closes the connection, and the response may be lost while the client still sends.
        const isCut = path.length + JSON.stringify(headers).length > 15_000;
        resolve({
          status: isCut ? 431 : 599,
          headers: { "content-type": "json" },
          text: `{"message":"${error.message}"}`,
        });
      })
      .end(body);
  });

const LEAKS =
  /node_modules|\.ts:\d|\n? +at \S+ \(|"stack|prisma|postgres|\bpg_|SQLSTATE|\bECONN|argon2|fastify|FST_|\bP20\d\d\b|\/(work|home|tmp|usr)\//i;

function faultOf({ method, path }: Request, { status, headers, text }: Received): string | null {
  const type = String(headers["content-type"]);
  if (status >= 500) return `it is ${status}`;
  if (LEAKS.test(text)) return `it reveals ${LEAKS.exec(text)?.[0]}`;
  if (method === "HEAD" || status === 204 || status === 304) return null;
  const isGraphql = /^\/graphql(\?|$)/.test(path) && (method === "GET" || method === "POST");
  if (!isGraphql && !/^\/api(?![\w.])/.test(path)) return null;
  if (status === 200 && /^\/(graphql|api\/docs)\b/.test(path) && /html|javascript|css|image/.test(type))
    return null;
  if (!/json/.test(type)) return "it is no JSON";
  const body = JSON.parse(text) as { message?: unknown; data?: unknown; errors?: { message: unknown }[] };
  // Errors raised before routing have REST's shape.
  if (!isGraphql || status === 431)
    return status < 400 || isMessage(body.message)
      ? unlikeDocument(method, path, { status, body, text })
      : "it has no message";
  const isResponse = body.errors?.every(({ message }) => isMessage(message)) ?? "data" in body;
  return isResponse ? null : "it is no answer of GraphQL";
}

/** Responses before any routing: 431, and 404 for a segment that no route has. */
function unlikeDocument(
  method: string,
  path: string,
  response: { status: number; body: unknown; text: string },
) {
  const isTooLong = response.status === 404 && path.split(/[/?]/).some((segment) => segment.length > 2_000);
  if (response.status === 431 || isTooLong || /^\/api\/(docs|openapi)/.test(path)) return null;
  try {
    validateResponse(method, path, response);
    return null;
  } catch (error) {
    return (error as Error).message.replace(path, "…").slice(0, 400);
  }
}

const isMessage = (message: unknown) => typeof message === "string" && message !== "";

test(
  `none of ${COUNT} malformed requests (seed ${SEED}) causes an internal error or reveals internals`,
  async () => {
    const faults: string[] = [];
    const statuses: Record<number, number> = {};
    const used: number[] = [];
    for (let start = 0; start < COUNT; start += BATCH) {
      await restoreSeed(blog);
      // A fresh generator per batch, because fast-check's keep their values in memory.
      for (const request of fc.sample(makeRequests(), { numRuns: BATCH, seed: SEED + start })) {
        const response = await ask(request);
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        const fault = faultOf(request, response);
        if (fault)
          faults.push(
            `seed ${SEED + start}: ${fault}: ${JSON.stringify(request).slice(0, 600)}: ${response.text.slice(0, 300)}`,
          );
      }
      used.push(usedMemory());
    }
    const warm = used[Math.floor(used.length / 4)] ?? 0;
    const growth = (used.at(-1) ?? 0) / warm;
    console.info(`${COUNT} malformed requests: ${JSON.stringify(statuses)}, memory × ${growth.toFixed(2)}`);
    expect(faults).toEqual([]);
    expect(growth).toBeLessThan(1.1);
    // Enough requests must get past the validation.
    expect(statuses[200]).toBeGreaterThan(COUNT / 20);
  },
  600_000 + COUNT * 200,
);
