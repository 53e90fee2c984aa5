import { ApolloServer, type ApolloServerPlugin } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import type { FastifyBaseLogger } from "fastify";
import type { GraphQLSchema } from "graphql";
import type { GraphQLContext } from "../context.ts";
import { formatError } from "./errors.ts";
import { limitsPlugin, MAX_TOKENS } from "./limits.ts";
import { persistedPlugin, persistedQueries, type PersistedDocuments } from "./persisted.ts";
import type { Plans } from "../compiled/plans.ts";

/** HTML forms and links cannot send these headers, so either one rules out CSRF. */
export const preflightHeaders = ["apollo-require-preflight", "x-apollo-operation-name"] as const;

type Options = {
  schema: GraphQLSchema;
  log: FastifyBaseLogger;
  documents: PersistedDocuments;
  persistedOnly: boolean;
  plans: Plans;
};

export async function startApollo(options: Options): Promise<ApolloServer<GraphQLContext>> {
  const { schema, log, documents, persistedOnly, plans } = options;
  const apollo = new ApolloServer<GraphQLContext>({
    schema,
    formatError,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    csrfPrevention: { requestHeaders: [...preflightHeaders] },
    persistedQueries: persistedQueries(documents),
    parseOptions: { maxTokens: MAX_TOKENS },
    stopOnTerminationSignals: false,
    plugins: [
      persistedPlugin(persistedOnly),
      limitsPlugin(schema),
      statusPlugin,
      sessionPlugin,
      logUnknownErrors(log),
      plans.learn,
      ApolloServerPluginCacheControlDisabled(),
      // Apollo's page loads from another origin.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    logger: log,
  });
  await apollo.start();
  return apollo;
}

/**
 * GraphQL over HTTP: application/json gets status 200 with the errors of a request; application/graphql-response+json
 * gets 400, also for an unknown hash.
 */
const statusPlugin: ApolloServerPlugin<GraphQLContext> = {
  async requestDidStart({ request: { http } }) {
    const accept = http?.headers.get("accept") ?? "";
    const isPlain =
      accept.includes("application/json") && !accept.includes("application/graphql-response+json");
    return {
      async willSendResponse({ response, errors, source }) {
        const isUnknown = errors?.[0]?.extensions["code"] === "PERSISTED_QUERY_NOT_FOUND";
        if (isPlain && source !== undefined && response.http.status === 400) response.http.status = 200;
        else if (isUnknown && !isPlain) response.http.status = 400;
      },
    };
  },
};

/** Reports an ended session in `extensions`, also where the request is served as a visitor's. */
const sessionPlugin: ApolloServerPlugin<GraphQLContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ contextValue, response }) {
        if (response.body.kind !== "single" || contextValue.ctx?.session !== "ended") return;
        const { singleResult } = response.body;
        singleResult.extensions = { ...singleResult.extensions, session: "ended" };
      },
    };
  },
};

/** Logs internal errors, and sends only their request id. */
const logUnknownErrors = (log: FastifyBaseLogger): ApolloServerPlugin<GraphQLContext> => ({
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue }) {
        for (const error of errors)
          if (formatError(error, error).extensions?.["code"] === "INTERNAL_SERVER_ERROR")
            log.error(
              { err: error.originalError ?? error, reqId: contextValue.requestId },
              "a resolver failed",
            );
      },
      async willSendResponse({ contextValue, response }) {
        if (response.body.kind !== "single") return;
        for (const { extensions } of response.body.singleResult.errors ?? [])
          if (extensions?.["code"] === "INTERNAL_SERVER_ERROR")
            Object.assign(extensions, { requestId: contextValue.requestId });
      },
    };
  },
});
