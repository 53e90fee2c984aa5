import type { IncomingHttpHeaders } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { Ctx } from "../../domain/context.ts";
import { refuseLongAnswer, runInTurn } from "../endpoint/response-size.ts";
import { createGraphQLContext } from "../context.ts";
import { describeErrors } from "../endpoint/errors.ts";
import { parseOperationRequest } from "./parse-request.ts";
import { costOf, isWithinLimits, wantsCost } from "../endpoint/limits.ts";
import type { PersistedDocuments } from "../endpoint/persisted.ts";
import type { Plans } from "./plans.ts";

type Options = { plans: Plans; documents: PersistedDocuments; log: FastifyBaseLogger };

/** A POST that has come whole. */
type Call = { headers: IncomingHttpHeaders; body: string };

/** What is answered, but for the headers that all answers have. */
export type KnownAnswer = { mediaType: string; text: string };

/**
 * Finds how to answer, without Apollo's pipeline, what that has answered before, byte for byte as it would.
 * @returns null for all else: what is new, odd or to be refused. So does what it returns, with nothing done
 * yet, where variables do not fit.
 */
export const findCompiledOperation =
  ({ plans, documents, log }: Options) =>
  ({ headers, body }: Call) => {
    const mediaType = mediaTypes.get(headers.accept ?? "");
    const asked = mediaType ? parseOperationRequest(headers, body, documents) : null;
    const plan = asked && plans.find(asked.source, asked.operationName);
    if (!mediaType || !plan) return null;
    const { variables, extensions } = asked;
    const figures = plan.figuresOf(variables);
    if (!isWithinLimits(figures)) return null;
    const cost = wantsCost(extensions, headers["x-graphql-cost"]) ? { cost: costOf(figures) } : null;
    return async (ctx: Ctx, requestId: string): Promise<KnownAnswer | null> => {
      const ran = await runInTurn(figures, ctx.origin, () =>
        plan.run(createGraphQLContext(ctx, requestId), variables),
      );
      // Variables that do not fit: nothing has run.
      if (ran.data === undefined) return null;
      const refused = refuseLongAnswer(figures, ran.data);
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

/** What callers say they accept, and what they get; anything else is negotiated by Apollo. */
const mediaTypes = new Map([
  ["", JSON_TYPE],
  ["*/*", JSON_TYPE],
  ["application/json", JSON_TYPE],
  ["application/json, */*", JSON_TYPE],
  ["application/graphql-response+json", RESPONSE_TYPE],
  ["application/graphql-response+json,application/json;q=0.9", RESPONSE_TYPE],
  ["application/graphql-response+json, application/json;q=0.9", RESPONSE_TYPE],
]);
