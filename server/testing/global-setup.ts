import type { TestProject } from "vitest/node";
import { startTestServer, type TestServer } from "./test-server.ts";
import type { Topology } from "./topology.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestServer;
    /** Null without TOPOLOGY=full. */
    topology: Topology | null;
  }
}

/** Starts a temporary PostgreSQL, or uses TEST_DATABASE_URL. Each test file copies the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...server } = await startTestServer(process.env["TEST_DATABASE_URL"]);
  const { adminUrl, folder } = server;
  project.provide("postgres", server);
  const isFull = process.env["TOPOLOGY"] === "full";
  if (isFull && !folder)
    throw new Error("TOPOLOGY=full needs the embedded PostgreSQL, not TEST_DATABASE_URL");
  const around = isFull && folder ? await startTopology({ url: adminUrl, folder }) : null;
  project.provide("topology", around?.topology ?? null);
  return async () => {
    await around?.stop();
    await stop();
  };
}

/** Loads the code that starts these programs only when they are asked for. */
async function startTopology(server: { url: string; folder: string }) {
  return (await import("./topology.ts")).startTopology(server);
}
