import { ApolloServer, HeaderMap, type ApolloServerPlugin } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import type { FastifyBaseLogger } from "fastify";
import type { ExecutionResult, GraphQLSchema } from "graphql";
import { isIntrospection, type Plan, type Plans } from "../compiled/plans.ts";
import { rateLimitState } from "../../domain/accounts/rate-limits.ts";
import { isForm } from "../../http/multipart.ts";
import { rateLimitHeaders } from "../../http/rate-limit-headers.ts";
import { beginGraphqlOperation } from "../../tracing/operation.ts";
import { allowWrites, type GraphQLContext } from "../context.ts";
import { refuseIfEnded } from "../ended-sessions.ts";
import { finish } from "../execute.ts";
import type { OperationStats } from "./cost.ts";
import type { DocumentStore } from "./document-store.ts";
import { formatError } from "./errors.ts";
import { MAX_TOKENS, refuseBeyondLimits, refuseLargeVariables, isCostRequested } from "./limits.ts";
import { persistedPlugin, persistedQueries, type PersistedDocuments } from "./persisted.ts";
import { acquirePermit, isLongIntrospection, refuseExpensiveForm } from "./response-size.ts";

type Options = {
  schema: GraphQLSchema;
  log: FastifyBaseLogger;
  documents: PersistedDocuments;
  persistedOnly: boolean;
  plans: Plans;
  documentStore: DocumentStore;
};

export async function startApollo(options: Options): Promise<ApolloServer<GraphQLContext>> {
  const { schema, log, documents, persistedOnly, plans, documentStore } = options;
  const apollo = new ApolloServer<GraphQLContext>({
    schema,
    formatError,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    // Only a header authenticates, and plugin.ts refuses the bodies that a page of another site can send.
    csrfPrevention: false,
    persistedQueries: persistedQueries(documents),
    parseOptions: { maxTokens: MAX_TOKENS },
    documentStore,
    stopOnTerminationSignals: false,
    plugins: [
      persistedPlugin(persistedOnly),
      executionPlugin({ plans, log, ownDocuments: new Set(documents.values()) }),
      statusPlugin,
      ApolloServerPluginCacheControlDisabled(),
      // Apollo's page loads from another origin.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      // Loads the classes of a protocol that is not used.
      ApolloServerPluginInlineTraceDisabled(),
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

type Execution = { plans: Plans; log: FastifyBaseLogger; ownDocuments: ReadonlySet<string> };

/**
 * Measures and limits an operation, executes known ones by their plan, and finishes the result. Apollo itself executes
 * an operation on its first request, and where the variables are invalid.
 */
const executionPlugin = ({ plans, log, ownDocuments }: Execution): ApolloServerPlugin<GraphQLContext> => ({
  async requestDidStart({ request }) {
    const { operationName, variables = {} } = request;
    const contentType = request.http?.headers.get("content-type");
    let existing: Plan | undefined;
    let plan: Plan | undefined;
    let stats: OperationStats | undefined;
    let result: ExecutionResult | undefined;
    let end: (() => void) | undefined;
    return {
      async didResolveOperation({ source, document, operation, contextValue }) {
        contextValue.releaseValidation?.();
        if (!operation) return;
        end = beginGraphqlOperation({ name: operation.name?.value, type: operation.operation });
        refuseLargeVariables(variables);
        allowWrites(contextValue, operation);
        existing = plans.find(source, operationName);
        plan = existing ?? plans.make(document, operation, ownDocuments.has(source));
        stats = plan.statsOf(variables);
        refuseBeyondLimits(stats);
        if (isForm(contentType)) refuseExpensiveForm(stats);
        await acquirePermit(stats, contextValue, operation.operation);
        if (isLongIntrospection(stats)) await contextValue.beforeIntrospection?.();
      },
      async responseForOperation({ contextValue }) {
        const ran = await existing?.run(contextValue, variables);
        if (ran?.data === undefined) return null;
        result = ran;
        return {
          http: { headers: new HeaderMap() },
          body: { kind: "single", singleResult: { data: ran.data } },
        };
      },
      async willSendResponse({ source, operation, errors, contextValue, response: { body, http } }) {
        end?.();
        if (body.kind !== "single") return;
        for (const [name, value] of Object.entries(rateLimitHeaders(rateLimitState(contextValue.ctx))))
          http.headers.set(name, value);
        const showsCost = isCostRequested(request.extensions, request.http?.headers.get("x-graphql-cost"));
        const { data } = body.singleResult;
        const current = await refuseIfEnded(contextValue, operation?.operation, result ?? { data, errors });
        body.singleResult = finish(current, {
          context: contextValue,
          log,
          stats,
          showsCost,
        });
        if (existing || body.singleResult.errors || !source || isIntrospection(source)) return;
        if (plan) plans.store(source, operationName, plan);
      },
    };
  },
});
