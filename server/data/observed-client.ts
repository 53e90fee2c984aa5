import pg from "pg";

/** Called with the text of each statement when it is sent; the returned function is called when it has ended. */
export type ObserveStatement = (text: string) => () => void;

type Query = (...args: unknown[]) => unknown;

/** A client that reports its statements: also those of Prisma, which takes its connections from the pool. */
export const observedClient = (observe: ObserveStatement): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.query = observed(super.query.bind(this) as Query, observe) as typeof this.query;
    }
  };

/** pg.Pool passes a callback; without one the result is a promise. */
const observed =
  (query: Query, observe: ObserveStatement): Query =>
  (...args) => {
    const end = observe(textOf(args[0]));
    const callback = args.at(-1);
    if (typeof callback === "function") {
      const endFirst = (...results: unknown[]) => {
        end();
        callback(...results);
      };
      return query(...args.slice(0, -1), endFirst);
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(end, end);
    return result;
  };

const textOf = (config: unknown): string =>
  typeof config === "string" ? config : ((config as pg.QueryConfig | undefined)?.text ?? "");
