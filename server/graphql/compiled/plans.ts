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

/** Characters of all cached documents. */
const MAX_CHARACTERS = 400_000;
/** A plan holds at most 2 MB of code (see isCompilable), usually a tenth of that. */
const MAX_PLANS = 200;

type Variables = Record<string, unknown>;

/** A parsed, validated, measured and perhaps compiled document. */
export type Plan = {
  operation: OperationDefinitionNode;
  statsOf: (variables: Variables) => OperationStats;
  run: (contextValue: GraphQLContext, variables: Variables) => ExecutionResult | Promise<ExecutionResult>;
};

export type Plans = ReturnType<typeof openPlans>;

/**
 * An LRU cache of operations that Apollo has executed without an error.
 * @param isOn false caches nothing, so that Apollo executes each request
 */
export function openPlans(schema: GraphQLSchema, isOn = true) {
  const cache = new LRUCache<string, Plan>({
    max: MAX_PLANS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_plan, key) => key.length + 500,
  });
  const store = (
    source: string,
    operationName: string | undefined,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ) => void (isOn && cache.set(keyOf(source, operationName), makePlan(schema, document, operation)));
  const apolloPlugin: ApolloServerPlugin<GraphQLContext> = {
    async requestDidStart() {
      return {
        async willSendResponse({ source, document, operation, request, response: { body } }) {
          if (!source || !document || !operation || isAboutSchema.test(source)) return;
          if (body.kind !== "single" || body.singleResult.errors) return;
          store(source, request.operationName, document, operation);
        },
      };
    },
  };
  return {
    learn: apolloPlugin,
    keep: store,
    find: (source: string, operationName: string | undefined) => cache.get(keyOf(source, operationName)),
  };
}

/** Introspection is not worth caching: tools send it once. */
const isAboutSchema = /__schema|__type\b/;

const keyOf = (source: string, operationName: string | undefined) => JSON.stringify([operationName, source]);

function makePlan(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Plan {
  const operationName = operation.name?.value;
  const run: Plan["run"] = (contextValue, variableValues) =>
    execute({ schema, document, operationName, contextValue, variableValues }) as ReturnType<Plan["run"]>;
  const isRead = operation.operation === OperationTypeNode.QUERY;
  return {
    operation,
    statsOf: statsOf(schema, document, operation),
    run: isRead && isCompilable(document) ? compiledRun(schema, document, operationName, run) : run,
  };
}

/**
 * Executes with graphql-jit, which compiles on first use. Re-executes with graphql-js on errors, whose messages and
 * order are authoritative, unless the service is unavailable.
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

/** Measures once, unless the measurement reads a variable. */
function statsOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  let isFixed = true;
  const noting = new Proxy({}, { get: () => void (isFixed = false) });
  const stats = measureOperation(schema, document, operation, noting);
  return (variables: Variables) =>
    isFixed ? stats : measureOperation(schema, document, operation, variables);
}
