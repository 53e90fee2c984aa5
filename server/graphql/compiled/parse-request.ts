import type { IncomingHttpHeaders } from "node:http";
import { parse } from "secure-json-parse";
import { namedHash, type PersistedDocuments } from "../endpoint/persisted.ts";

/** A request as plans understand it. */
export type OperationRequest = {
  source: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  extensions: Record<string, unknown>;
};

type RawBody = Record<"query" | "operationName" | "variables" | "extensions" | "documentId", unknown>;

/** Null for whatever is not said in the usual way: Apollo has words for each of those. */
export function parseOperationRequest(
  headers: IncomingHttpHeaders,
  body: string,
  documents: PersistedDocuments,
): OperationRequest | null {
  const said = isJson.test(headers["content-type"] ?? "") ? parsed(body) : null;
  return isRecord(said) ? toAsked(said as RawBody, documents) : null;
}

/** Also what keeps other sites from sending it unasked. */
const isJson = /^application\/json(; ?charset=utf-8)?$/i;

/** As the application parses it, which refuses what could change the prototype of objects. */
function parsed(body: string): unknown {
  try {
    return parse(body);
  } catch {
    return null;
  }
}

function toAsked(said: RawBody, documents: PersistedDocuments): OperationRequest | null {
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
    variables: (variables ?? {}) as OperationRequest["variables"],
    extensions: (extensions ?? {}) as OperationRequest["extensions"],
  };
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
