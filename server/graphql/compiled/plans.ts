import type { ApolloServerPlugin } from "@apollo/server";
import {
  execute,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { compileQuery, isCompiledQuery, type CompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import { toBlogError } from "../../errors.ts";
import type { GraphQLContext } from "../context.ts";
import { isCompilable } from "./compilable.ts";
import { measureOperation, type OperationStats } from "../endpoint/cost.ts";

/** Characters of all documents together. */
const MAX_CHARACTERS = 400_000;
/** Plans: each holds at most 2 MB of code (see isCompilable), most a tenth of that. */
const MAX_PLANS = 200;

type Variables = Record<string, unknown>;

/** A document of which nothing has to be found out any more. */
export type Plan = {
  operation: OperationDefinitionNode;
  figuresOf: (variables: Variables) => OperationStats;
  run: (contextValue: GraphQLContext, variables: Variables) => ExecutionResult | Promise<ExecutionResult>;
};

export type Plans = ReturnType<typeof openPlans>;

/**
 * Remembers what Apollo has parsed, validated and answered without an error; the least used is forgotten.
 * @param isOn false remembers nothing: Apollo answers each request
 */
export function openPlans(schema: GraphQLSchema, isOn = true) {
  const kept = new LRUCache<string, Plan>({
    max: MAX_PLANS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_plan, key) => key.length + 500,
  });
  const keep = (
    source: string,
    operationName: string | undefined,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ) => void (isOn && kept.set(keyOf(source, operationName), makePlan(schema, document, operation)));
  const learn: ApolloServerPlugin<GraphQLContext> = {
    async requestDidStart() {
      return {
        async willSendResponse({ source, document, operation, request, response: { body } }) {
          if (!source || !document || !operation || isAboutSchema.test(source)) return;
          if (body.kind !== "single" || body.singleResult.errors) return;
          keep(source, request.operationName, document, operation);
        },
      };
    },
  };
  return {
    learn,
    keep,
    find: (source: string, operationName: string | undefined) => kept.get(keyOf(source, operationName)),
  };
}

/** Tools ask for it, once. */
const isAboutSchema = /__schema|__type\b/;

const keyOf = (source: string, operationName: string | undefined) => JSON.stringify([operationName, source]);

function makePlan(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Plan {
  const operationName = operation.name?.value;
  const run: Plan["run"] = (contextValue, variableValues) =>
    execute({ schema, document, operationName, contextValue, variableValues }) as ReturnType<Plan["run"]>;
  const isRead = operation.operation === OperationTypeNode.QUERY;
  return {
    operation,
    figuresOf: figuresOf(schema, document, operation),
    run: isRead && isCompilable(document) ? compiledRun(schema, document, operationName, run) : run,
  };
}

/**
 * Runs a query as code that is made of it when it is first asked for. What that fails at is asked again in the
 * ordinary way, whose errors and their order are the ones that count; not what cannot be answered just now.
 */
function compiledRun(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  run: Plan["run"],
): Plan["run"] {
  let compiled: CompiledQuery | ExecutionResult | undefined;
  return async (contextValue, variables) => {
    compiled ??= compileQuery(schema, document, operationName);
    if (!isCompiledQuery(compiled)) return run(contextValue, variables);
    const result = (await compiled.query(undefined, contextValue, variables)) as ExecutionResult;
    return result.errors?.every(isOutage) === false ? run(contextValue, variables) : result;
  };
}

const isOutage = ({ originalError }: GraphQLError) =>
  originalError !== undefined && toBlogError(originalError).code === "UNAVAILABLE";

/** Measured once, unless the length of a list is given by a variable. */
function figuresOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  let isFixed = true;
  const noting = new Proxy({}, { get: () => void (isFixed = false) });
  const figures = measureOperation(schema, document, operation, noting);
  return (variables: Variables) =>
    isFixed ? figures : measureOperation(schema, document, operation, variables);
}
