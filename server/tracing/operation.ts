import { AsyncLocalStorage } from "node:async_hooks";
import { tracing, type Span } from "./tracing.ts";

/** A request or a background job. */
export type Operation = {
  /** The method and pattern of a route, or `job NAME`: never a URL, which may contain a token. */
  name: string;
  requestId?: string;
  span?: Span | undefined;
  graphql?: { name: string; span: Span | undefined } | undefined;
};

/** `name` is chosen by the client. */
export type GraphqlOperation = { name: string | undefined; type: string };

const storage = new AsyncLocalStorage<Operation>();

const MAX_NAME = 100;

/**
 * Runs `work` as an operation, which code within it reads by `currentOperation`. Only while traces are exported, since the
 * storage costs a tenth of the CPU of a query.
 */
export const runOperation = <T>(operation: Operation, work: () => T): T =>
  tracing.start ? storage.run(operation, work) : work();

export const currentOperation = (): Operation | undefined => storage.getStore();

export async function runJob<T>(job: string, work: () => T | Promise<T>): Promise<T> {
  const name = `job ${job}`;
  const span = tracing.start?.({ name, kind: "consumer", attributes: { "messaging.destination.name": job } });
  return endAfter(span, async () => runOperation({ name, span }, work));
}

export function runGraphqlOperation<T>(operation: GraphqlOperation, work: () => T): T | Promise<T> {
  if (!tracing.start) return work();
  const current = storage.getStore();
  const graphql = begin(operation, current?.span);
  return endAfter(graphql.span, async () => storage.run({ name: "graphql", ...current, graphql }, work));
}

/** For code that does not call the GraphQL operation itself. @returns ends it */
export function beginGraphqlOperation(operation: GraphqlOperation): () => void {
  if (!tracing.start) return () => undefined;
  const current = storage.getStore();
  const graphql = begin(operation, current?.span);
  if (current) current.graphql = graphql;
  return () => graphql.span?.end();
}

function begin({ name: chosen = "anonymous", type }: GraphqlOperation, parent: Span | undefined) {
  const name = chosen.slice(0, MAX_NAME);
  const attributes = { "graphql.operation.name": name, "graphql.operation.type": type };
  return { name, span: tracing.start?.({ name: `${type} ${name}`, kind: "internal", attributes, parent }) };
}

async function endAfter<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  let isFailed = true;
  try {
    const result = await work();
    isFailed = false;
    return result;
  } finally {
    span?.end({ isFailed });
  }
}
