import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { query } from "../../testing/database-server.ts";
import { openEmbeddedPostgres } from "./embedded-postgres.ts";
import { findFreePort } from "./free-port.ts";

vi.mock("./free-port.ts", { spy: true });

test("does not log in at a port that another program takes before PostgreSQL", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "blog-embedded-"));
  let calls = 0;
  const other = createServer((socket) => {
    calls++;
    socket.destroy();
  });
  await once(other.listen(0, "127.0.0.1"), "listening");
  vi.mocked(findFreePort).mockResolvedValueOnce((other.address() as AddressInfo).port);
  const postgres = await openEmbeddedPostgres(dataDir, () => {});
  expect(await query(postgres.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await postgres.stop();
  other.close();
  await rm(dataDir, { recursive: true });
  expect(calls).toBe(0);
}, 60_000);
