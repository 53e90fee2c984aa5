import pg from "pg";

/**
 * Called with the text of each statement when it is sent; the returned function is called when it has ended, with its
 * error if it failed.
 */
export type ObserveStatement = (text: string) => (error?: unknown) => void;

type Query = (...args: unknown[]) => unknown;

/** A client that reports its statements: also those of Prisma, which takes its connections from the pool. */
export const observedClient = (observers: readonly ObserveStatement[]): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.query = observed(super.query.bind(this) as Query, observers) as typeof this.query;
    }
  };

/** pg.Pool passes a callback; without one the result is a promise. */
const observed =
  (query: Query, observers: readonly ObserveStatement[]): Query =>
  (...args) => {
    const text = textOf(args[0]);
    const ends = observers.map((observe) => observe(text));
    const end = (error?: unknown) => ends.forEach((each) => each(error));
    const callback = args.at(-1);
    if (typeof callback === "function") {
      const endFirst = (error: unknown, ...results: unknown[]) => {
        end(error);
        callback(error, ...results);
      };
      return query(...args.slice(0, -1), endFirst);
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => end(), end);
    return result;
  };

const textOf = (config: unknown): string =>
  typeof config === "string" ? config : ((config as pg.QueryConfig | undefined)?.text ?? "");

const MAX_CHARACTERS = 5_000;

/** The text for logs and traces. Values are not part of it: the statements of the blog have placeholders. */
export const shortStatement = (text: string): string =>
  text.replace(/\s+/g, " ").trim().slice(0, MAX_CHARACTERS);
