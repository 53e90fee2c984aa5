import fc from "fast-check";
import { anyJson, anyObject, anyText } from "./arbitraries.ts";
import type { InventoryRoute } from "./route-inventory.ts";
import { encodeForm } from "./forms.ts";

// Generates malformed requests for all routes.

export type Request = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
};

/** Existing ids, tokens, and the expected bodies by route. */
export type ExistingData = {
  ids: string[];
  tokens: string[];
  fields: (route: InventoryRoute) => Record<string, fc.Arbitrary<unknown>>;
};

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

const segment = (ids: string[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 2, arbitrary: anyText.map(encode) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("%", "%zz", "%E0%A4%A", "%00", "..", "%2e%2e%2f", "a".repeat(3_000), "1;2"),
    },
  );
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

const queryNames = [
  ...["pageNumber", "category", "search", "sort", "limit", "after", "updatedAfter", "since"],
  ...["variants", "__proto__"],
];

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...queryNames), anyText), {
        maxLength: 3,
      })
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "?category=a&category=b",
      "?pageNumber=0",
      "?limit=100",
      "?limit=2&updatedAfter=0000-01-01T00:00:00Z",
      ...["?since=9999-12-31T23:59:59%2B14:00", "?since=9999-12-31T23:59:59-14:00", "?variants=true"],
      `?limit=1&after=${Buffer.from("1_00000000-0000-4000-8000-000000000001").toString("base64url")}`,
      "?pageNumber=1e9",
      "?%",
      "?a[b]=1",
      `?${"&".repeat(99)}`,
    ),
  },
);

const types = fc.constantFrom(
  ...[
    "application/json",
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "application/xml",
  ],
  ...[
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "nonsense",
    "",
  ],
);

/** With a valid, an invalid or no token. */
const headersFor = (tokens: string[]) =>
  fc.record(
    {
      authorization: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...tokens).map((token) => `Bearer ${token}`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("Bearer undefined", "Bearer", "Basic YTpi", "bearer  x y", "x"),
        },
        { weight: 1, arbitrary: fc.base64String({ maxLength: 2_000 }).map((text) => `Bearer ${text}`) },
      ),
      accept: fc.constantFrom(
        "*/*",
        "application/json",
        "application/graphql-response+json",
        "text/html",
        "nonsense",
      ),
      "x-long": fc.constant("x".repeat(7_000)),
      "idempotency-key": fc.constantFrom("one", "two", "", "with blanks", "x".repeat(201)),
      "if-none-match": fc.constantFrom("*", '"x"', 'W/"'),
      "x-forwarded-for": fc.constantFrom("127.0.0.1", "not an address", "::1, ::1"),
      "apollo-require-preflight": fc.constant("true"),
    },
    { requiredKeys: ["authorization"] },
  );

const jsonOf = (value: unknown) => JSON.stringify(value) ?? "null";

/** A valid body, or one truncated or corrupted in some way. */
const corrupted = (json: fc.Arbitrary<string>): fc.Arbitrary<Buffer | string> =>
  fc.oneof(
    { weight: 6, arbitrary: json },
    { weight: 1, arbitrary: fc.tuple(json, fc.nat(60)).map(([text, length]) => text.slice(0, length)) },
    { weight: 1, arbitrary: json.map((text) => text + text) },
    { weight: 1, arbitrary: json.map((text) => text.replace(/"/, '"__proto__":{"isAdmin":true},"')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(json, fc.uint8Array({ maxLength: 8 }))
        .map(([text, bytes]) => Buffer.concat([Buffer.from(text), bytes])),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "",
        " ",
        "null",
        "{",
        "[".repeat(50_000),
        `"${"x".repeat(120_000)}"`,
        '{"a":1e999}',
      ),
    },
  );

const partName = fc.oneof(
  fc.constantFrom("image", "title", "operations", "map", "0"),
  anyText.map((text) => text.replace(/["\r\n]/g, "").slice(0, 200)),
);

const form: fc.Arbitrary<{ payload: Buffer; headers: Record<string, string> }> = fc
  .tuple(
    fc.array(
      fc.record(
        {
          name: partName,
          value: fc.oneof(
            anyText,
            fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
          ),
          filename: fc.constantFrom("a.jpg", "", "../../a", "a.svg"),
        },
        { requiredKeys: ["name", "value"] },
      ),
      { maxLength: 5 },
    ),
    fc.option(fc.nat(400), { nil: undefined }),
  )
  .map(([parts, length]) => {
    const { payload, headers } = encodeForm(parts);
    return { headers, payload: payload.subarray(0, length) };
  });

/** Requests with one or more faults, and now and then none. */
export function malformedRequests(routes: InventoryRoute[], existing: ExistingData): fc.Arbitrary<Request> {
  const segments = segment(existing.ids);
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 6, arbitrary: fc.constant(route.method) },
          { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
        ),
        path: pathsOf(route, segments),
        query,
        headers: headersFor(existing.tokens),
        content: contents(existing.fields(route)),
      })
      .map(({ method, path, query, headers, content }) => {
        const { type, body } = content;
        const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
        return {
          ...{ method, path: path + query },
          headers: { ...headers, ...(hasBody && type && { "content-type": type }) },
          ...(hasBody && { body }),
        };
      }),
  );
}

const pathsOf = ({ url }: InventoryRoute, segments: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const parts = url.split("/").map((part) => (/^[:*]/.test(part) ? segments : fc.constant(part)));
  const right = fc.tuple(...parts).map((values) => values.join("/"));
  const more = fc.constantFrom("/", "//", "/..", "/%2f", "/more");
  return fc.oneof(
    { weight: 9, arbitrary: right },
    { weight: 1, arbitrary: fc.tuple(right, more).map((values) => values.join("")) },
  );
};

type Content = { type?: string; body?: Buffer | string };

const contents = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Content> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: corrupted(anyObject(fields).map(jsonOf)).map((body) => ({ type: "application/json", body })),
    },
    { weight: 1, arbitrary: fc.record({ type: types, body: corrupted(anyJson.map(jsonOf)) }) },
    {
      weight: 2,
      arbitrary: form.map(({ payload, headers }) => ({ type: headers["content-type"] ?? "", body: payload })),
    },
    { weight: 1, arbitrary: fc.constant({}) },
  );
