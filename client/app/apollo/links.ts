import { ApolloLink } from "@apollo/client";
import { SetContextLink } from "@apollo/client/link/context";
import { BaseHttpLink } from "@apollo/client/link/http";
import type { GraphQLFormattedError } from "graphql";
import { from, map, switchMap } from "rxjs";
import { expireSession, readSession } from "../../features/accounts/session.ts";
import { toast } from "../../lib/toast.ts";
import { persistedLink } from "./persisted-link.ts";

const authorization = new SetContextLink(({ headers }) => {
  const token = readSession()?.token;
  return token ? { headers: { ...headers, authorization: `Bearer ${token}` } } : { headers };
});

/**
 * Signs out when a response says that the session has ended, unless another session began meanwhile. Marks its errors as
 * reported: the toast here says it, and forms need not repeat the server's words.
 */
const sessionWatch = new ApolloLink((operation, forward) => {
  const token = readSession()?.token;
  return forward(operation).pipe(
    map((result) => {
      if (result.extensions?.["session"] !== "ended" || readSession()?.token !== token) return result;
      expireSession();
      toast.info("Your session has ended, please log in again");
      return { ...result, errors: result.errors?.map(asReported) };
    }),
  );
});

const asReported = (error: GraphQLFormattedError) => ({
  ...error,
  extensions: { ...error.extensions, isReported: true },
});

const http = new BaseHttpLink({ uri: "/graphql" });

const upload = new ApolloLink((operation, forward) =>
  from(import("./upload-link.ts")).pipe(
    switchMap(({ uploadLink }) => uploadLink.request(operation, forward)),
  ),
);

const hasFile = (value: unknown): boolean => Object.values(value ?? {}).some((each) => each instanceof File);

export const browserLink = ApolloLink.from([
  authorization,
  sessionWatch,
  persistedLink,
  ApolloLink.split(({ variables }) => hasFile(variables), upload, http),
]);
