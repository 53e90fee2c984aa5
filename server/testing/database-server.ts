import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../data/postgres-client.ts";

/** Runs a statement on a connection of its own. @returns its rows */
export const query = (url: string, statement: string) =>
  withClient(url, async (client) => (await client.query(statement)).rows);

/** The port of a server opens before it accepts connections. @throws the last refusal */
export async function whenReady(url: string, milliseconds: number): Promise<void> {
  for (const until = Date.now() + milliseconds; ; await sleep(50)) {
    const refusal = await query(url, "SELECT 1").then(
      () => null,
      (error: Error) => error,
    );
    if (!refusal) return;
    if (Date.now() > until) throw refusal;
  }
}

/** Creates another database on the same server, empty or as a copy of a template. */
export async function createDatabase(serverUrl: string, purpose: string, template = "template1") {
  const name = `blog_${purpose}_${randomBytes(6).toString("hex")}`;
  await query(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    name,
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    drop: async () => void (await query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** The same database at another server. */
export const atServer = (server: string, url: string): string =>
  Object.assign(new URL(server), { pathname: new URL(url).pathname }).href;
