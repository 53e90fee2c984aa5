import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

type Constructor = {
  new: (options: object, log: (line: string) => void, factory: object) => Promise<SchemaEngine>;
};

let loaded: Promise<Constructor> | undefined;

/**
 * Prisma's own schema engine as WebAssembly: the usual binary is downloaded at install time,
 * which a machine without that network cannot do.
 * @param databaseUrl the database the engine speaks to
 * @param datamodels pairs of file name and schema text; none for applying migrations
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  datamodels: [string, string][] | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  try {
    const Engine = await (loaded ??= instantiate());
    return await work(
      await Engine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(wholeScripts(pool))),
    );
  } finally {
    await pool.end();
  }
}

/**
 * The adapter cuts a script at each semicolon, even within a function. PostgreSQL reads a whole script itself,
 * and undoes all of it when one statement fails.
 */
function wholeScripts(pool: pg.Pool): PrismaPg {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () =>
    Object.assign(await connect(), {
      executeScript: async (script: string) => void (await pool.query(script)),
    });
  return factory;
}

/** Where the engine leaves its reason before it gives up; without it the reason would be lost. */
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
