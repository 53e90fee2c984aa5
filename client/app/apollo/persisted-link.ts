import { ApolloLink } from "@apollo/client";
import { of, switchMap } from "rxjs";

let areKnown = true;

/**
 * A document travels as its hash, a query by GET, so that it can be asked after by its ETag. To a server that
 * does not know it, older or newer than this page, it is sent whole, and so is every one from then on.
 */
export const persistedLink = new ApolloLink((operation, forward) => {
  const { hash } = (operation.query as { __meta__?: { hash?: string } }).__meta__ ?? {};
  if (!areKnown || !hash) return forward(operation);
  // An address ends in logs and histories: a token never stands in one.
  const isQuery = operation.operationType === "query" && !("token" in operation.variables);
  // What the caller gave, an upload's progress and its cancelling for instance, goes along.
  const { fetchOptions } = operation.getContext();
  operation.extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
  operation.setContext({
    http: { includeQuery: false, includeExtensions: true },
    fetchOptions: { ...fetchOptions, method: isQuery ? "GET" : "POST" },
  });
  return forward(operation).pipe(
    switchMap((result) => {
      if (result.errors?.[0]?.extensions?.["code"] !== "PERSISTED_QUERY_NOT_FOUND") return of(result);
      areKnown = false;
      operation.extensions = {};
      operation.setContext({ http: {}, fetchOptions: { ...fetchOptions } });
      return forward(operation);
    }),
  );
});
