import type { RequestServices } from "../../domain/context.ts";
import type { Db } from "../../domain/ports.ts";
import { BULKHEADS } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { createBulkhead } from "../../queue.ts";

/**
 * The pool lends its connections in the order of requests: a flood from one network would delay all others.
 * @returns the client of an origin, which waits for a turn. Calls begin at once (no arrays of them), and throw UNAVAILABLE.
 */
export function fairClients(db: Db, connections: number): RequestServices["dbOf"] {
  const { concurrency, perKey } = BULKHEADS.connections;
  const ofNetwork = Math.ceil((perKey.concurrency / concurrency) * connections);
  const limits = { concurrency: connections, perKey: { ...perKey, concurrency: ofNetwork } };
  const takeTurn = createBulkhead("connections", limits);
  return (origin, nextStatement) =>
    withTurns(db, (work) =>
      takeTurn(async () => {
        await nextStatement?.(networkOf(origin));
        return work();
      }, origin),
    );
}

type Method = (...args: unknown[]) => Promise<unknown>;
type TakeTurn = (work: () => Promise<unknown>) => Promise<unknown>;

const withTurns = <T extends object>(client: T, takeTurn: TakeTurn): T =>
  new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === "function")
        return (...args: unknown[]) => takeTurn(async () => (value as Method).apply(target, args));
      return typeof value === "object" && value !== null ? withTurns(value, takeTurn) : value;
    },
  });
