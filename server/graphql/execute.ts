import type { FastifyBaseLogger } from "fastify";
import type { DocumentNode, FormattedExecutionResult } from "graphql";
import { nameAndType, type Plans } from "./compiled/plans.ts";
import { runGraphqlOperation } from "../tracing/operation.ts";
import { createGraphQLContext, type GraphQLContext } from "./context.ts";
import { rateLimitState } from "../domain/accounts/rate-limits.ts";
import type { Contexts } from "../domain/context.ts";
import type { OperationStats } from "./endpoint/cost.ts";
import { describeErrors, type OperationResult } from "./endpoint/errors.ts";
import { costOf } from "./endpoint/limits.ts";
import { refuseLongResponse } from "./endpoint/response-size.ts";

type Finishing = {
  context: GraphQLContext;
  log: FastifyBaseLogger;
  /** Absent for a page, and for a document that was refused before it was measured. */
  stats?: OperationStats | undefined;
  showsCost?: boolean;
};

/**
 * Completes the result of every operation, compiled or interpreted: logs and masks errors, limits the length, and adds the
 * extensions. The order of the keys is Apollo's.
 */
export function finish(
  { data, errors }: OperationResult,
  { context, log, stats, showsCost = false }: Finishing,
): FormattedExecutionResult {
  const { ctx, requestId } = context;
  const described = errors && describeErrors(errors, log, requestId);
  const refused = stats && refuseLongResponse(stats, data);
  const cost = stats && showsCost ? { cost: costOf(stats) } : null;
  const session = ctx.session === "ended" ? { session: ctx.session } : null;
  const isLimited = described?.some(({ extensions }) => extensions?.["code"] === "RATE_LIMITED");
  const rateLimit = showsCost || isLimited ? rateLimitState(ctx) : null;
  return {
    errors: refused ? describeErrors([refused], log, requestId) : described,
    data: refused ? null : data,
    ...((cost || session || rateLimit) && {
      extensions: { ...cost, ...session, ...(rateLimit && { rateLimit }) },
    }),
  };
}

type PageRequest = { query: unknown; variables: Record<string, unknown>; operationName?: string };

/** Executes the documents of server-rendered pages in process: they are parsed, valid and within the limits. */
export const executorOfPages =
  ({ plans, log }: { plans: Plans; log: FastifyBaseLogger }) =>
  async (contexts: Contexts, { query, variables, operationName }: PageRequest) => {
    const context = createGraphQLContext(contexts);
    const plan = plans.ofPage(query as DocumentNode, operationName);
    const result = await runGraphqlOperation(nameAndType(plan), () => plan.run(context, variables));
    return finish(result, { context, log });
  };
