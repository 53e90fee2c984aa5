import { ApolloLink } from "@apollo/client";
import { of, switchMap } from "rxjs";
import { reloadIfReplaced } from "../../lib/load-code.ts";

let areRegistered = true;

/**
 * Sends a document as its hash, and a query by GET so that HTTP caching applies. A server of another build may not know
 * the hash: the link then sends the full document, for this and all later operations. With PERSISTED_ONLY the server
 * knows no document of another build: the page is reloaded.
 */
export const persistedLink = new ApolloLink((operation, forward) => {
  const { hash } = (operation.query as { __meta__?: { hash?: string } }).__meta__ ?? {};
  if (!areRegistered || !hash) return sendWhole(operation, forward);
  // URLs end up in logs and histories: a token must never be part of one.
  const isQuery = operation.operationType === "query" && !("token" in operation.variables);
  // Keeps the caller's options, for instance an upload's progress callback and abort signal.
  const { fetchOptions } = operation.getContext();
  operation.extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
  operation.setContext({
    http: { includeQuery: false, includeExtensions: true },
    fetchOptions: { method: isQuery ? "GET" : "POST", ...fetchOptions },
  });
  return forward(operation).pipe(
    switchMap((result) => {
      if (!isUnknown(result)) return of(result);
      areRegistered = false;
      operation.extensions = {};
      operation.setContext({ http: {}, fetchOptions: { ...fetchOptions } });
      return sendWhole(operation, forward);
    }),
  );
});

const sendWhole: ApolloLink.RequestHandler = (operation, forward) =>
  forward(operation).pipe(
    switchMap(async (result) => {
      if (isUnknown(result)) await reloadIfReplaced();
      return result;
    }),
  );

const isUnknown = ({ errors }: ApolloLink.Result) =>
  errors?.[0]?.extensions?.["code"] === "PERSISTED_QUERY_NOT_FOUND";
