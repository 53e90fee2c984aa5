import type pg from "pg";
import { Client, connectionOf } from "./postgres-client.ts";

/**
 * Called with the text of each statement when it is sent; the returned function is called when it has ended, with its
 * error if it failed.
 */
export type ObserveStatement = (text: string) => (error?: unknown) => void;

type Query = (...args: unknown[]) => unknown;

/** A client that reports its statements: also those of Prisma, which takes its connections from the pool. */
export const observedClient = (observers: readonly ObserveStatement[]): typeof Client =>
  class extends Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.query = observed(super.query.bind(this) as Query, observers) as typeof this.query;
    }
  };

/** A client that ends its connection if a statement gets no answer: pg would leave it in its pool, where the next one fails, too. */
export const closingClient: typeof Client = class extends Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const connection = connectionOf(this);
    const close: ObserveStatement = () => (error) => {
      if ((error as Error | undefined)?.message === "Query read timeout") connection.stream.destroy();
    };
    this.query = observed(super.query.bind(this) as Query, [close]) as typeof this.query;
  }
};

type Callback = (error: unknown, result?: unknown) => void;

/** pg.Pool passes a callback; without one the result is a promise, made here so that there is only one. */
const observed =
  (query: Query, observers: readonly ObserveStatement[]): Query =>
  (...args) => {
    const text = textOf(args[0]);
    const ends = observers.map((observe) => observe(text));
    const last = args.at(-1);
    if (typeof last === "function") args.pop();
    const send = (callback: Callback) => {
      const endFirst: Callback = (error, result) => {
        for (const end of ends) end(error);
        callback(error, result);
      };
      return query(...args, endFirst);
    };
    if (typeof last === "function") return send(last as Callback);
    return new Promise((resolve, reject) => {
      send((error, result) => {
        if (error) reject(error as Error);
        else resolve(result);
      });
    });
  };

const textOf = (config: unknown): string =>
  typeof config === "string" ? config : ((config as pg.QueryConfig | undefined)?.text ?? "");

const MAX_CHARACTERS = 5_000;

/** The text for logs and traces. Values are not part of it: the statements of the blog have placeholders. */
export const shortStatement = (text: string): string =>
  text.replace(/\s+/g, " ").trim().slice(0, MAX_CHARACTERS);
