import type { Queries } from "../../domain/ports.ts";
import { targetOf } from "./routes.ts";

type Server = { queries: () => Queries | null };

type Query = (...args: unknown[]) => Promise<unknown>;
type AnyQueries = Record<string, Query>;

type Options = {
  primary: Queries;
  /** Chooses the replica of a request; null is the primary. */
  choose: (isAccount: boolean) => Promise<Server | null>;
  /** Counts a read that is answered by one of them. */
  count: (target: "primary" | "replica" | "repeated") => void;
};

/**
 * The queries of one request, on one replica: two replicas may have replayed different positions. What has to be read on
 * the primary, or failed on the replica, is read there, and so is everything after it, or a later read could be older.
 */
export function routeQueries({ primary, choose, count }: Options): (isAccount: boolean) => Queries {
  class RoutedQueries {
    private server: Promise<Server | null> | null = null;

    constructor(private readonly isAccount: boolean) {}

    async run(name: keyof Queries, args: unknown[]): Promise<unknown> {
      const queries = (
        await (this.server ??= choose(this.isAccount))
      )?.queries() as unknown as AnyQueries | null;
      const query = queries?.[name];
      if (!query) return this.runOnPrimary(name, args, "primary");
      try {
        const result = await query(...args);
        count("replica");
        return result;
      } catch {
        return this.runOnPrimary(name, args, "repeated");
      }
    }

    runOnPrimary(name: keyof Queries, args: unknown[], target: "primary" | "repeated"): Promise<unknown> {
      this.server = Promise.resolve(null);
      count(target);
      return (primary as unknown as AnyQueries)[name]?.(...args) ?? Promise.reject(new Error(name));
    }
  }

  for (const [key, target] of Object.entries(targetOf)) {
    const name = key as keyof Queries;
    const targetFor = typeof target === "string" ? () => target : (target as (...args: unknown[]) => string);
    Object.defineProperty(RoutedQueries.prototype, name, {
      configurable: true,
      // Bound, since some queries are passed on without their object.
      get(this: RoutedQueries) {
        return (...args: unknown[]) =>
          targetFor(...args) === "replica" ? this.run(name, args) : this.runOnPrimary(name, args, "primary");
      },
    });
  }
  // Read before all else of a request, and no reason to stay on the primary.
  Object.defineProperty(RoutedQueries.prototype, "session", { value: primary.session });
  return (isAccount) => new RoutedQueries(isAccount) as unknown as Queries;
}
