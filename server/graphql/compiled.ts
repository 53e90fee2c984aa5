import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import type { GraphQLContext } from "./context.ts";
import { describeErrors } from "./errors.ts";
import { readAsked } from "./known.ts";
import { costOf, isWithinLimits, wantsCost } from "./limits.ts";
import type { PersistedDocuments } from "./persisted.ts";
import type { Plans } from "./plans.ts";

type Options = { plans: Plans; documents: PersistedDocuments; log: FastifyBaseLogger };

/**
 * Answers without Apollo's pipeline what that has answered before, byte for byte as it would.
 * @returns null, with nothing done yet, for all else: what is new, odd or to be refused
 */
export const answerKnown =
  ({ plans, documents, log }: Options) =>
  async (request: FastifyRequest, reply: FastifyReply, context: GraphQLContext): Promise<string | null> => {
    const mediaType = mediaTypes.get(request.headers.accept ?? "");
    const asked = mediaType ? readAsked(request, documents) : null;
    const plan = asked && plans.find(asked.source, asked.operationName);
    if (!mediaType || !plan) return null;
    if (request.method === "GET" && plan.operation.operation !== "query") return null;
    const figures = plan.figuresOf(asked.variables);
    if (!isWithinLimits(figures)) return null;
    const { data, errors } = await plan.run(context, asked.variables);
    // Variables that do not fit: nothing has run.
    if (data === undefined) return null;
    const extensions = {
      ...(wantsCost(asked.extensions, request.headers["x-graphql-cost"]) && { cost: costOf(figures) }),
      ...(context.ctx.session === "ended" && { session: "ended" }),
    };
    const described = errors && describeErrors(errors, log, context.requestId);
    const isPlain = Object.keys(extensions).length === 0;
    reply.header("content-type", mediaType);
    return `${JSON.stringify({ errors: described, data, ...(!isPlain && { extensions }) })}\n`;
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
