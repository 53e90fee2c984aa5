import type { IncomingHttpHeaders } from "node:http";
import { parse } from "secure-json-parse";
import { hasTooManyValues } from "../../http/limits/json-structure.ts";
import { namedHash, type PersistedDocuments } from "../endpoint/persisted.ts";

export type OperationRequest = {
  source: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  extensions: Record<string, unknown>;
};

type RawBody = Record<"query" | "operationName" | "variables" | "extensions" | "documentId", unknown>;

/** @returns null for a request of unusual form: Apollo handles it, or words its error */
export function parseOperationRequest(
  headers: IncomingHttpHeaders,
  body: string,
  documents: PersistedDocuments,
): OperationRequest | null {
  const json = isJson.test(headers["content-type"] ?? "") ? parsed(body) : null;
  return isRecord(json) ? toOperationRequest(json as RawBody, documents) : null;
}

/** Also prevents CSRF: this type needs a preflight request. */
const isJson = /^application\/json(; ?charset=utf-8)?$/i;

/** secure-json-parse, as in the application: it refuses `__proto__` keys. */
function parsed(body: string): unknown {
  try {
    return hasTooManyValues(body) ? null : parse(body);
  } catch {
    return null;
  }
}

function toOperationRequest(body: RawBody, documents: PersistedDocuments): OperationRequest | null {
  const { query, operationName = null, variables, extensions, documentId } = body;
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
    variables: (variables ?? {}) as OperationRequest["variables"],
    extensions: (extensions ?? {}) as OperationRequest["extensions"],
  };
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
