import type { FastifyRequest } from "fastify";
import { namedHash, type PersistedDocuments } from "./persisted.ts";

/** A request as plans understand it. */
export type Asked = {
  source: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  extensions: Record<string, unknown>;
};

type Said = Record<"query" | "operationName" | "variables" | "extensions" | "documentId", unknown>;

/** Null for whatever is not said in the usual way: Apollo has words for each of those. */
export function readAsked(request: FastifyRequest, documents: PersistedDocuments): Asked | null {
  if (!isJson.test(request.headers["content-type"] ?? "")) return null;
  const said = request.method === "POST" ? saidByPost(request) : saidByGet(request);
  return said && toAsked(said, documents);
}

/** Also what keeps other sites from sending it unasked, by GET too. */
const isJson = /^application\/json(; ?charset=utf-8)?$/i;

const saidByPost = ({ body, url }: FastifyRequest) =>
  isRecord(body) && !url.includes("?") ? (body as Said) : null;

function saidByGet({ url }: FastifyRequest): Said | null {
  if (url.includes("#")) return null;
  const said: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(url.slice(url.indexOf("?") + 1))) {
    if (name in said) return null;
    said[name] = name === "variables" || name === "extensions" ? parse(value) : value;
  }
  return said as Said;
}

function parse(json: string): unknown {
  try {
    // Null is allowed in a body alone; as a word it is none of those that are.
    return JSON.parse(json) ?? "null";
  } catch {
    return json;
  }
}

function toAsked(said: Said, documents: PersistedDocuments): Asked | null {
  const { query, operationName = null, variables, extensions, documentId } = said;
  const isUsual = [variables, extensions].every(
    (each) => each === undefined || each === null || isRecord(each),
  );
  if (!isUsual || (query && typeof query !== "string")) return null;
  if (operationName !== null && typeof operationName !== "string") return null;
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown };
  const source = query || documents.get(namedHash(documentId, persistedQuery) ?? "");
  if (typeof source !== "string") return null;
  return {
    source,
    operationName: operationName ?? undefined,
    variables: (variables ?? {}) as Asked["variables"],
    extensions: (extensions ?? {}) as Asked["extensions"],
  };
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
