import type { IncomingHttpHeaders } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import { rateLimitState } from "../../domain/accounts/rate-limits.ts";
import type { Contexts } from "../../domain/context.ts";
import { rateLimitHeaders } from "../../http/rate-limit-headers.ts";
import { acquirePermit } from "../endpoint/response-size.ts";
import { allowWrites, createGraphQLContext, type GraphQLContext } from "../context.ts";
import type { OperationStats } from "../endpoint/cost.ts";
import { refuseIfEnded } from "../ended-sessions.ts";
import { finish } from "../execute.ts";
import { runGraphqlOperation } from "../../tracing/operation.ts";
import { parseOperationRequest } from "./parse-request.ts";
import { areVariablesTooLarge, isWithinLimits, isCostRequested } from "../endpoint/limits.ts";
import type { PersistedDocuments } from "../endpoint/persisted.ts";
import { nameAndType, type Plan, type Plans } from "./plans.ts";

type Options = { plans: Plans; documents: PersistedDocuments; log: FastifyBaseLogger };

type Call = { headers: IncomingHttpHeaders; body: string };

/** Search engines must not list a private response. */
export type CompiledResponse = {
  mediaType: string;
  text: string;
  isPrivate: boolean;
  headers: Record<string, string>;
};

/**
 * Finds the plan of an operation that Apollo has executed before; its response equals Apollo's byte for byte.
 * @returns null for new, unusual or refused requests. The returned function returns null, too, before anything
 * has run, where variables are invalid.
 */
export const findCompiledOperation =
  ({ plans, documents, log }: Options) =>
  ({ headers, body }: Call) => {
    const mediaType = mediaTypes.get(headers.accept ?? "");
    const request = mediaType ? parseOperationRequest(headers, body, documents) : null;
    const plan = request && plans.find(request.source, request.operationName);
    if (!mediaType || !plan) return null;
    const { variables, extensions } = request;
    if (areVariablesTooLarge(variables)) return null;
    const stats = plan.statsOf(variables);
    if (!isWithinLimits(stats)) return null;
    const showsCost = isCostRequested(extensions, headers["x-graphql-cost"]);
    return async (contexts: Contexts, requestId: string): Promise<CompiledResponse | null> => {
      const context = createGraphQLContext(contexts, requestId);
      allowWrites(context, plan.operation);
      const result = await runWithPermit(context, stats, plan, variables);
      // The variables are invalid, and nothing has run.
      if (result.data === undefined) return null;
      const current = await refuseIfEnded(context, plan.operation.operation, result);
      const text = JSON.stringify(finish(current, { context, log, stats, showsCost }));
      const headers = rateLimitHeaders(rateLimitState(context.ctx));
      return { mediaType, text: `${text}\n`, isPrivate: context.caching.isPrivate, headers };
    };
  };

async function runWithPermit(
  context: GraphQLContext,
  stats: OperationStats,
  plan: Plan,
  variables: Record<string, unknown>,
) {
  try {
    await acquirePermit(stats, context, plan.operation.operation);
    return await runGraphqlOperation(nameAndType(plan), () => plan.run(context, variables));
  } finally {
    for (const release of context.releases) release();
  }
}

const JSON_TYPE = "application/json; charset=utf-8";
const RESPONSE_TYPE = "application/graphql-response+json; charset=utf-8";

/** From Accept headers to content types; Apollo negotiates all others. */
const mediaTypes = new Map([
  ["", JSON_TYPE],
  ["*/*", JSON_TYPE],
  ["application/json", JSON_TYPE],
  ["application/json, */*", JSON_TYPE],
  ["application/graphql-response+json", RESPONSE_TYPE],
  ["application/graphql-response+json,application/json;q=0.9", RESPONSE_TYPE],
  ["application/graphql-response+json, application/json;q=0.9", RESPONSE_TYPE],
]);
