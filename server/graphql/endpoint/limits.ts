import type { ApolloServerPlugin, GraphQLRequest } from "@apollo/server";
import { GraphQLError, type GraphQLSchema } from "graphql";
import { enterInTurn, refuseLongAnswer } from "./response-size.ts";
import type { GraphQLContext } from "../context.ts";
import { measureOperation, type OperationStats } from "./cost.ts";
import { formatError } from "./errors.ts";

/**
 * What one operation may ask: about five times our own client's dearest, where that asks for any. `texts` are whole
 * texts of posts, and `schema` has room for twice the introspection of a tool that asks for everything.
 */
export const LIMITS = {
  ...{ cost: 5_900, depth: 12, aliases: 50, directives: 50, bytes: 20_000 },
  ...{ texts: 600, schema: 210_000 },
  /** For the place of each error all line ends before it are counted. */
  lines: 500,
};

/** The parser itself stops there. */
export const MAX_TOKENS = 2_000;

const sentences = {
  bytes: (count) => `is ${count} bytes long`,
  lines: (count) => `has ${count} lines`,
  depth: (levels) => `is nested ${levels} levels deep`,
  aliases: (count) => `has ${count} aliases`,
  directives: (count) => `has ${count} directives`,
  cost: (cost) => `asks too much at once: it costs ${cost}`,
  texts: (count) => `asks for ${count} texts of posts`,
  schema: (fields) => `asks too much of the schema at once: about ${fields} fields`,
} satisfies Record<keyof typeof LIMITS, (requested: number) => string>;

/** @throws GraphQLError BAD_USER_INPUT that names the limit and the figure */
function refuseBeyondLimits(stats: Partial<Record<keyof typeof LIMITS, number>>): void {
  for (const [name, say] of Object.entries(sentences) as [keyof typeof LIMITS, (n: number) => string][]) {
    const limit = LIMITS[name];
    const requested = countable(stats[name] ?? 0);
    if (requested <= limit) continue;
    throw new GraphQLError(`this operation ${say(requested)}, and the limit is ${limit}`, {
      extensions: { code: "BAD_USER_INPUT", [name]: { requested, limit }, http: { status: 400 } },
    });
  }
}

/**
 * Looked at before a document is parsed: the time of validation grows with its errors times its lines.
 * @throws GraphQLError BAD_USER_INPUT
 */
export const refuseLongDocument = (source: string): void =>
  refuseBeyondLimits({
    bytes: Buffer.byteLength(source),
    lines: (source.match(/\r\n|[\n\r]/g)?.length ?? 0) + 1,
  });

export const isWithinLimits = (stats: OperationStats) =>
  (Object.keys(stats) as (keyof OperationStats)[]).every((name) => stats[name] <= LIMITS[name]);

/** Fragments within fragments reach figures that no number of JSON can hold. */
const countable = (figure: number) => Math.min(Math.ceil(figure), Number.MAX_SAFE_INTEGER);

/** Refuses what asks too much before it runs, and tells the cost to whoever wants to know it. */
export const limitsPlugin = (schema: GraphQLSchema): ApolloServerPlugin<GraphQLContext> => ({
  async requestDidStart({ request }) {
    let stats: OperationStats | undefined;
    return {
      async didResolveOperation({ document, operation, contextValue }) {
        contextValue.understood?.();
        if (!operation) return;
        stats = measureOperation(schema, document, operation, request.variables ?? {});
        refuseBeyondLimits(stats);
        contextValue.leaves.push(await enterInTurn(stats, contextValue.ctx.origin));
      },
      async willSendResponse({ response: { body } }) {
        if (!stats || body.kind !== "single") return;
        const refused = refuseLongAnswer(stats, body.singleResult.data);
        if (refused)
          Object.assign(body.singleResult, { data: null, errors: [formatError(refused, refused)] });
        if (!wantsCost(request.extensions, request.http?.headers.get("x-graphql-cost"))) return;
        body.singleResult.extensions = { ...body.singleResult.extensions, cost: costOf(stats) };
      },
    };
  },
});

export const costOf = ({ cost }: OperationStats) => ({ requested: countable(cost), limit: LIMITS.cost });

/** Asked for by `extensions: { cost: true }` in the request, or by a header where a tool sends no extensions. */
export const wantsCost = (extensions: GraphQLRequest["extensions"], header: unknown) =>
  extensions?.["cost"] === true || Boolean(header);
