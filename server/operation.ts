import { AsyncLocalStorage } from "node:async_hooks";

/** What the server is doing: a request or a background job. */
export type Operation = {
  /** The method and pattern of a route, or `job NAME`: never a URL, which may contain a token. */
  name: string;
  requestId?: string;
  /** The name of its GraphQL operation, which the client chooses. */
  graphql?: string;
};

const storage = new AsyncLocalStorage<Operation>();

const MAX_NAME = 100;

/** Runs `work` as an operation: whatever it calls finds that by `currentOperation`. */
export const runOperation = <T>(operation: Operation, work: () => T): T => storage.run(operation, work);

export const currentOperation = (): Operation | undefined => storage.getStore();

/** Runs a GraphQL operation as a part of the current request. */
export const runGraphqlOperation = <T>(name: string | undefined, work: () => T): T =>
  storage.run({ name: "graphql", ...storage.getStore(), graphql: graphqlName(name) }, work);

/** For code that does not call the GraphQL operation itself. */
export function nameGraphqlOperation(name: string | undefined): void {
  const operation = storage.getStore();
  if (operation) operation.graphql = graphqlName(name);
}

const graphqlName = (name = "anonymous") => name.slice(0, MAX_NAME);
