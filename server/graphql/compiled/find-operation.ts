import type { IncomingHttpHeaders } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { Ctx } from "../../domain/context.ts";
import { refuseLongResponse, withPermit } from "../endpoint/response-size.ts";
import { createGraphQLContext } from "../context.ts";
import { describeErrors } from "../endpoint/errors.ts";
import { parseOperationRequest } from "./parse-request.ts";
import { costOf, isWithinLimits, wantsCost } from "../endpoint/limits.ts";
import type { PersistedDocuments } from "../endpoint/persisted.ts";
import type { Plans } from "./plans.ts";

type Options = { plans: Plans; documents: PersistedDocuments; log: FastifyBaseLogger };

type Call = { headers: IncomingHttpHeaders; body: string };

export type CompiledResponse = { mediaType: string; text: string };

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
    const stats = plan.statsOf(variables);
    if (!isWithinLimits(stats)) return null;
    const cost = wantsCost(extensions, headers["x-graphql-cost"]) ? { cost: costOf(stats) } : null;
    return async (ctx: Ctx, requestId: string): Promise<CompiledResponse | null> => {
      const ran = await withPermit(stats, ctx.origin, () =>
        plan.run(createGraphQLContext(ctx, requestId), variables),
      );
      // The variables are invalid, and nothing has run.
      if (ran.data === undefined) return null;
      const refused = refuseLongResponse(stats, ran.data);
      const { data, errors } = refused ? { data: null, errors: [refused] } : ran;
      const session = ctx.session === "ended" ? { session: ctx.session } : null;
      const text = JSON.stringify({
        errors: errors && describeErrors(errors, log, requestId),
        data,
        ...((cost || session) && { extensions: { ...cost, ...session } }),
      });
      return { mediaType, text: `${text}\n` };
    };
  };

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
