import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApolloServerOptions, ApolloServerPlugin, GraphQLRequest } from "@apollo/server";
import type { GraphQLContext } from "../context.ts";

type PersistedQueries = Exclude<ApolloServerOptions<GraphQLContext>["persistedQueries"], false | undefined>;

export type PersistedDocuments = ReadonlyMap<string, string>;

/** The client's documents by SHA-256, from its build. Requests cannot add to them. */
export function readPersistedDocuments(dist: string): PersistedDocuments {
  const file = join(dist, "server/persisted-documents.json");
  return new Map(Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>));
}

export const persistedQueries = (documents: PersistedDocuments): PersistedQueries => ({
  cache: {
    get: async (key) => documents.get(key.replace(/^apq:/, "")),
    set: async () => {},
    delete: async () => {},
  },
});

/**
 * Names a document by `extensions.persistedQuery.sha256Hash` or, as GraphQL over HTTP proposes, by `documentId`.
 * A hash beside a full document is ignored; with `persistedOnly` the document is replaced by its own hash, which must be known.
 */
export const persistedPlugin = (persistedOnly: boolean): ApolloServerPlugin<GraphQLContext> => ({
  async requestDidStart({ request }) {
    const { persistedQuery, ...extensions } = request.extensions ?? {};
    const hash = request.query
      ? persistedOnly && sha256(request.query)
      : namedHash(documentIdOf(request), persistedQuery);
    request.extensions = extensions;
    if (!hash) return;
    request.query = undefined;
    request.extensions = { ...extensions, persistedQuery: { version: 1, sha256Hash: hash } };
  },
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function documentIdOf({ http }: GraphQLRequest): unknown {
  const body = http?.method === "POST" ? (http.body as Record<string, unknown>) : {};
  return body["documentId"] ?? new URLSearchParams(http?.search).get("documentId");
}

export function namedHash(documentId: unknown, persistedQuery: unknown): string | undefined {
  const hash = documentId ?? (persistedQuery as { sha256Hash?: unknown } | undefined)?.sha256Hash;
  return typeof hash === "string" ? hash.replace(/^sha256:/, "").toLowerCase() : undefined;
}
