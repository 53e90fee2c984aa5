import { setTimeout as sleep } from "node:timers/promises";
import { databaseName } from "../data/client.ts";
import { Client } from "../data/postgres-client.ts";
import { UnusableReplica, withReplica } from "../data/replicas/replica-connection.ts";
import {
  COMMITTED_POSITION_SQL,
  parsePosition,
  timelineOf,
  type Position,
} from "../data/replicas/position.ts";
import { IDENTITY_SQL } from "../data/replicas/primary-positions.ts";
import { MAX_LAG, MAX_WAIT, reasonOf } from "../data/replicas/replica.ts";
import type { Env } from "../env.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";

type Primary = { position: Position; identity: string };

/** Other checks report a primary that does not answer. */
export async function checkReplicas({ replicaUrls, ...env }: Env): Promise<Finding[]> {
  if (replicaUrls.length === 0) return [];
  const primary = await readPrimary(env.DATABASE_DIRECT_URL ?? env.DATABASE_URL ?? "").catch(() => null);
  return primary ? Promise.all(replicaUrls.map((url) => checkReplica(url, primary))) : [];
}

async function readPrimary(connectionString: string): Promise<Primary> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const text = `SELECT ${COMMITTED_POSITION_SQL} AS position, (${IDENTITY_SQL}) AS identity`;
    const { rows } = await client.query<{ position: string; identity: string }>(text);
    const [row] = rows;
    return { position: parsePosition(row?.position ?? ""), identity: row?.identity ?? "" };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkReplica(url: string, { position, identity }: Primary): Promise<Finding> {
  const name = `the replica ${databaseName(url)}`;
  try {
    return await withReplica(url, identity, async (read) => {
      const began = performance.now();
      let replayed = await read();
      if (timelineOf(replayed) !== timelineOf(position))
        return problem(`${name} is not used: it follows another timeline than the primary`);
      while (replayed < position && performance.now() - began < MAX_LAG) {
        await sleep(50);
        replayed = await read();
      }
      const lag = performance.now() - began;
      if (lag >= MAX_LAG) return problem(`${name} is not used: it lags by more than ${MAX_LAG / 1_000} s`);
      if (lag <= MAX_WAIT) return ok(`${name} has replayed what the primary has`);
      return warning(
        `${name} lags by ${(lag / 1_000).toFixed(1)} s: most reads of accounts go to the primary`,
      );
    });
  } catch (error) {
    if (error instanceof UnusableReplica) return problem(`${name} is not used: ${error.message}`);
    return problem(`${name} cannot be used (${reasonOf(error)}): see DATABASE_REPLICA_URLS`);
  }
}
