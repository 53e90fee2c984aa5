import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram, USER } from "../../deploy/testing/programs.ts";
import { findFreePort } from "../data/embedded/free-port.ts";
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
  const folder = mkdtempSync(join(tmpdir(), "blog-pooler-"));
  chmodSync(folder, 0o755);
  const { username, password, port: serverPort } = new URL(serverUrl);
  const port = await findFreePort();
  const write = (name: string, lines: string[]) => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 });
    return file;
  };
  const users = write("users.txt", [`"${username}" "${password}"`]);
  const file = write("pooler.ini", [
    "[databases]",
    `* = host=127.0.0.1 port=${serverPort}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = trust"],
    ...[
      `auth_file = ${users}`,
      "pool_mode = transaction",
      "default_pool_size = 8",
      "server_idle_timeout = 5",
    ],
  ]);
  const program = await startProgram("pgbouncer", { args: [file], port, asUser: USER !== null });
  return {
    url: Object.assign(new URL(serverUrl), { port: String(port) }).href,
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
