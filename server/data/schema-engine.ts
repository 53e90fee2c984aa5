import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { Client, withClient } from "./postgres-client.ts";

type Constructor = {
  new: (options: object, log: (line: string) => void, factory: object) => Promise<SchemaEngine>;
};

/** Of the process: the bindings would read the memory of the first instance through a second one. */
const loaded = globalThis as { PRISMA_SCHEMA_ENGINE?: Promise<Constructor> };

/**
 * Runs Prisma's schema engine as WebAssembly. The native binary would need a download at install time.
 * @param datamodels pairs of file name and schema text; undefined for applying migrations
 * @param onWait called when a migration did not get its locks, and will be repeated
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  datamodels: [string, string][] | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
  onWait = () => {},
): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl, Client });
  try {
    const Engine = await (loaded.PRISMA_SCHEMA_ENGINE ??= instantiate());
    return await work(
      await Engine.new(
        { datamodels },
        () => {},
        bindMigrationAwareSqlAdapterFactory(wholeScripts(pool, onWait)),
      ),
    );
  } finally {
    await pool.end();
  }
}

/**
 * Marks the migration that runs as finished, within its own transaction: the engine does so afterwards, and a process that is
 * killed in between would leave a migration that is applied and looks failed.
 */
const FINISH = `;
DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  END IF;
END $$`;

/** Milliseconds. Others wait behind a migration that waits for a lock; automatic vacuums yield after one second, statements end after four. */
const LOCK_TIMEOUT = { first: 1_500, step: 500, longest: 4_500 };
const PAUSE_PER_TIMEOUT = 3;
const LOCK_NOT_AVAILABLE = "55P03";

async function runMigration(pool: pg.Pool, script: string, onWait: () => void): Promise<void> {
  const { first, step, longest } = LOCK_TIMEOUT;
  for (let timeout = first; ; timeout = Math.min(timeout + step, longest))
    try {
      return void (await pool.query(`SET LOCAL lock_timeout = ${timeout};${script}${FINISH}`));
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      onWait();
      await setTimeout(PAUSE_PER_TIMEOUT * timeout);
    }
}

/** That of connections of earlier releases. */
const findTimeZone = ({ options: { connectionString } }: pg.Pool): Promise<string> =>
  withClient({ connectionString, keepsTimeZone: true }, async (client) => {
    const { rows } = await client.query<{ zone: string }>("SELECT current_setting('TimeZone') AS zone");
    return rows[0]?.zone ?? "UTC";
  });

/** Sends a script as one atomic query. The adapter would split it at semicolons, even inside a function body. */
function wholeScripts(pool: pg.Pool, onWait: () => void): PrismaPg {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  let zone: Promise<string> | undefined;
  factory.connect = async () =>
    Object.assign(await connect(), {
      executeScript: async (script: string) => {
        const setting = pg.escapeLiteral(await (zone ??= findTimeZone(pool)));
        await runMigration(pool, `SELECT set_config('blog.time_zone', ${setting}, true);${script}`, onWait);
      },
    });
  return factory;
}

/** Receives the engine's panic message, which would be lost otherwise. */
const panics = {
  set_message: (message: string) => process.emitWarning(message, "SchemaEnginePanic"),
};

async function instantiate(): Promise<Constructor> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });
  const home = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const bytes = await readFile(join(home, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  // The published .d.ts describes only the bundler entry, which Node 20 cannot import.
  const glue = bindings as unknown as {
    __wbg_set_wasm: (exports: object) => void;
    SchemaEngine: Constructor;
  };
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
  return glue.SchemaEngine;
}
