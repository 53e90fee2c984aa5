import { statusOf } from "../../errors.ts";
import { PICTURE_BYTES, PICTURE_PIXELS } from "../../limits.ts";
import { toJsonSchema, type Json } from "./json-schemas.ts";
import {
  ignoredParameters,
  isCreation,
  limitHeaders,
  listHeaders,
  refusalsOf,
  type Described,
} from "./operations.ts";
import { problem } from "../shapes.ts";

const ABOUT = `The REST API of the blog. The GraphQL API at \`/graphql\` has all that it has, and more.

Sign in with \`POST /auth/login\` and send the token as \`Authorization: Bearer …\`. Every failure is JSON with a
\`message\` for people and a \`code\` for programs. A stale token on a public read is a visitor's read. Strings are
trimmed, except passwords; unknown keys are refused.`;

export function describeApi(operations: readonly Described[], publicUrl: string) {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, schemas);
  }
  const token = { type: "http", scheme: "bearer", description: "From `POST /auth/login`." };
  return {
    openapi: "3.1.1",
    info: {
      title: "Blog",
      version: "1",
      description: ABOUT,
      contact: { url: publicUrl },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${publicUrl}/api` }],
    tags: [...new Set(operations.map(tagOf))]
      .sort()
      .map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    components: { securitySchemes: { token }, schemas },
  };
}

const tags: Record<string, string> = {
  auth: "Accounts and sign-ins.",
  categories: "Categories, by whose titles posts are filed.",
  comments: "Comments on posts.",
  deletions: "Deletions, for clients that store copies.",
  password: "Links for a new password.",
  posts: "Posts with their pictures and likes.",
  users: "Accounts and their profiles.",
};

const tagOf = ({ path }: Described) => path.split("/")[1] ?? "";
const asJson = (schema: Json) => ({ content: { "application/json": { schema } } });

const describeOperation = (operation: Described, schemas: Json): Json => ({
  operationId: operation.name,
  summary: operation.summary,
  description: operation.details ?? `${operation.summary}.`,
  tags: [tagOf(operation)],
  security: operation.who === "everybody" ? [] : [{ token: [] }],
  parameters: describeParameters(operation, schemas),
  ...describeBody(operation, schemas),
  responses: {
    [operation.status ?? 200]: describeSuccess(operation, schemas),
    ...(operation.method === "GET" && operation.who === "everybody" && { 304: { description: UNCHANGED } }),
    ...Object.fromEntries(
      refusalsOf(operation).map(([status, messages]) => [status, describeRefusal(status, messages, schemas)]),
    ),
  },
});

const UNCHANGED = "Not changed since the response with the `ETag` of `If-None-Match`.";

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  schema: { type: "string", pattern: '^("?)[!#-~]{1,200}\\1$' },
  description:
    "Chosen by the client, for instance a UUID: a request that is repeated with it within 24 hours gets the response of the first.",
};

const resources: Record<string, string> = { categories: "category", comments: "comment", posts: "post" };

const idOf = (tag: string): Json => ({
  description: `The id of the ${resources[tag] ?? "account"}.`,
  schema: { type: "string", format: "uuid" },
});

const emailedToken = { description: "The token of the emailed link.", schema: { type: "string" } };

function describeParameters(operation: Described, schemas: Json): Json[] {
  const { path, query } = operation;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true },
    ...(name === "id" ? idOf(tagOf(operation)) : emailedToken),
  }));
  const { properties = {} } = query ? toJsonSchema(query, "input", schemas) : {};
  return [
    ...inPath,
    ...Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
      ...{ name, in: "query", description, schema },
    })),
    ...(isCreation(operation) ? [idempotencyKey] : []),
  ];
}

const image = {
  type: "string",
  format: "binary",
  description: `JPEG, PNG, WebP, GIF or AVIF, recognized by its content; at most ${PICTURE_BYTES / 1024 ** 2} MiB and ${PICTURE_PIXELS / 1e6} megapixels.`,
};

function describeBody({ body, form }: Described, schemas: Json): Json {
  if (body) {
    const schema = toJsonSchema(body, "input", schemas);
    return { requestBody: { required: "required" in schema, ...asJson(schema) } };
  }
  if (!form) return {};
  const { properties, required, ...rest } = toJsonSchema(form, "input", schemas) as FormSchema;
  const schema = { ...rest, properties: { ...properties, image }, required: [...(required ?? []), "image"] };
  return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
}

type FormSchema = Json & { properties: Json; required?: string[] };

function describeSuccess(operation: Described, schemas: Json): Json {
  const { response, headers = [] } = operation;
  const isLimited = refusalsOf(operation).some(([status]) => status === 429);
  const described = {
    ...Object.fromEntries(headers.map((name) => [name, listHeaders[name]])),
    "X-Ignored-Parameters": ignoredParameters,
    ...(isLimited && limitHeaders),
  };
  return {
    description: response.description ?? "Done.",
    headers: described,
    ...asJson(toJsonSchema(response, "output", schemas)),
  };
}

const retryAfter = { description: "Whole seconds.", schema: { type: "integer", minimum: 1 } };

function describeRefusal(status: number, messages: string[], schemas: Json): Json {
  const codes = Object.entries(statusOf).flatMap(([name, each]) => (each === status ? [name] : []));
  const [code] = codes;
  const allowed = codes.length > 1 ? { enum: codes } : { const: code };
  const schema = { ...toJsonSchema(problem, "output", schemas), properties: { code: allowed } };
  const examples = messages.map((message, index) => [
    index + 1,
    { summary: message, value: { message, code } },
  ]);
  return {
    description: messages.map((message) => `\`${message}\``).join(" · "),
    ...((status === 429 || status === 503) && {
      headers: { "Retry-After": retryAfter, ...(status === 429 && limitHeaders) },
    }),
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}
