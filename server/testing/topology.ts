import { makeFolder, removeFolder, startPgBouncer } from "../../deploy/testing/programs.ts";
import { startStandby } from "./standby.ts";

/** Addresses of the servers before and beside the database of the tests. */
export type Topology = { poolerUrl: string; replicaUrl: string };

/** For `TOPOLOGY=full`: PgBouncer in transaction mode before the server, and a replica of it. */
export async function startTopology(primary: { url: string; folder: string }) {
  const standby = await startStandby(primary);
  const pooler = await startPooler(primary.url).catch(async (error: unknown) => {
    await standby.stop();
    throw error;
  });
  return {
    topology: { poolerUrl: pooler.url, replicaUrl: standby.url },
    stop: async () => {
      await pooler.stop();
      await standby.stop();
    },
  };
}

async function startPooler(serverUrl: string) {
  const folder = makeFolder("pooler");
  const settings = ["default_pool_size = 8", "server_idle_timeout = 5"];
  const { port, stop } = await startPgBouncer({ folder, serverUrl, mode: "transaction", settings });
  return {
    // Its clients are trusted, so it cannot prove to know the password.
    url: Object.assign(new URL(serverUrl), { port: String(port), search: "" }).href,
    stop: async () => {
      await stop();
      removeFolder(folder);
    },
  };
}
