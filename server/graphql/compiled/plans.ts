import {
  execute,
  getOperationAST,
  getVariableValues,
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
import { createCompileQueue, type Schedule } from "./compile-queue.ts";
import { countRecordings, measureOperation, type OperationStats } from "../endpoint/cost.ts";

/** Characters of all cached documents. */
const MAX_CHARACTERS = 400_000;
/** A plan holds at most 2 MB of code (see isCompilable), usually a tenth of that. */
const MAX_PLANS = 200;

type Variables = Record<string, unknown>;

/** An operation of a parsed and valid document. */
export type Plan = {
  operation: OperationDefinitionNode;
  statsOf: (variables: Variables) => OperationStats;
  /** The result has no `data` if the variables are invalid; nothing has run then. */
  run: (contextValue: GraphQLContext, variables: Variables) => ExecutionResult | Promise<ExecutionResult>;
};

export const nameAndType = ({ operation: { name, operation } }: Plan) => ({
  name: name?.value,
  type: operation,
});

export type Plans = ReturnType<typeof openPlans>;

type PlanOptions = {
  /** False caches and compiles nothing, so that Apollo executes each request. */
  isOn?: boolean;
  schedule?: Schedule;
  /** Takes the error of compiled code where the interpreter has none. */
  reportFault?: (error: unknown) => void;
};

/** Operations that Apollo has executed without an error. */
export function openPlans(
  schema: GraphQLSchema,
  { isOn = true, schedule = createCompileQueue(), reportFault = () => {} }: PlanOptions = {},
) {
  const cache = new LRUCache<string, Plan>({
    max: MAX_PLANS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_plan, key) => key.length + 500,
  });
  const pages = new WeakMap<DocumentNode, Plan>();
  const make = (document: DocumentNode, operation: OperationDefinitionNode, isOwn = false) =>
    makePlan(
      { schema, document, operation },
      isOn ? { schedule: isOwn ? atOnce : schedule, reportFault } : null,
    );
  return {
    make,
    size: () => cache.size,
    store(source: string, operationName: string | undefined, plan: Plan): void {
      if (isOn) cache.set(keyOf(source, operationName), plan);
    },
    find: (source: string, operationName: string | undefined) => cache.get(keyOf(source, operationName)),
    /** The plan of a document of our own pages, which are few and live as long as the client's build. */
    ofPage(document: DocumentNode, operationName: string | undefined): Plan {
      const operation = getOperationAST(document, operationName);
      if (!operation) throw new Error("a page has sent a document without its operation");
      const plan = pages.get(document) ?? make(document, operation, true);
      pages.set(document, plan);
      return plan;
    },
  };
}

/** Introspection is not worth caching: tools send it once. */
export const isIntrospection = (source: string) => /__schema|__type\b/.test(source);

const keyOf = (source: string, operationName: string | undefined) => JSON.stringify([operationName, source]);

type Source = { schema: GraphQLSchema; document: DocumentNode; operation: OperationDefinitionNode };
type Compiling = Required<Pick<PlanOptions, "schedule" | "reportFault">>;

function makePlan(source: Source, compiling: Compiling | null): Plan {
  const { schema, document, operation } = source;
  const operationName = operation.name?.value;
  const run: Plan["run"] = (contextValue, variableValues) =>
    execute({ schema, document, operationName, contextValue, variableValues }) as ReturnType<Plan["run"]>;
  const isCompiled = compiling !== null && operation.operation === OperationTypeNode.QUERY;
  return {
    operation,
    statsOf: statsOf(source),
    run: isCompiled ? compiledRun(source, compiling, run) : run,
  };
}

const atOnce: Schedule = (work) => (work(), true);

/**
 * Executes with graphql-jit once the document is compiled, which the first use schedules, and with graphql-js before.
 * Re-executes with graphql-js if the compiled code fails, and on errors, whose messages and order are authoritative,
 * unless the service is unavailable. Compiled code that fails where graphql-js does not is dropped.
 */
function compiledRun(
  { schema, document, operation: { name, variableDefinitions = [] } }: Source,
  { schedule, reportFault }: Compiling,
  run: Plan["run"],
): Plan["run"] {
  let query: CompiledQuery["query"] | null = null;
  let isScheduled = false;
  return async (contextValue, variables) => {
    isScheduled ||= schedule(() => (query = compile(schema, document, name?.value)));
    if (!query) return run(contextValue, variables);
    // graphql-jit makes an error of each invalid element of a list.
    if (Object.values(variables).some((value) => typeof value === "object")) {
      const { errors } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
      if (errors) return { errors };
    }
    let failure: unknown;
    try {
      const result = (await query(undefined, contextValue, variables)) as ExecutionResult;
      if (!result.errors || result.errors.every(isOutage)) return result;
      failure = result.errors[0];
    } catch (error) {
      failure = error;
    }
    const result = await run(contextValue, variables);
    if (!result.errors) {
      query = null;
      reportFault(failure);
    }
    return result;
  };
}

/** @returns null if the document may not be compiled, or cannot be */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined) {
  try {
    if (!isCompilable(document)) return null;
    const compiled = compileQuery(schema, document, operationName);
    return isCompiledQuery(compiled) ? compiled.query : null;
  } catch {
    return null;
  }
}

const isOutage = ({ originalError }: GraphQLError) =>
  originalError !== undefined && toBlogError(originalError).code === "UNAVAILABLE";

/** Measures once, unless the measurement reads a variable, and again when a recorded length has changed. */
function statsOf({ schema, document, operation }: Source) {
  const measure = (variables: Variables) => measureOperation(schema, document, operation, variables);
  let fixed: OperationStats | null | undefined;
  let since = -1;
  return (variables: Variables): OperationStats => {
    if (fixed && since === countRecordings()) return fixed;
    if (fixed === null) return measure(variables);
    let isFixed = true;
    const observed = new Proxy(variables, {
      getOwnPropertyDescriptor: (values, name) => (
        (isFixed = false),
        Reflect.getOwnPropertyDescriptor(values, name)
      ),
    });
    since = countRecordings();
    const stats = measure(observed);
    fixed = isFixed ? stats : null;
    return stats;
  };
}
