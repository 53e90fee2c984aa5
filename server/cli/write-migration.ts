import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { withSchemaEngine } from "../data/schema-engine.ts";

const SCHEMA = "prisma/schema.prisma";

/** @param databaseUrl any PostgreSQL: the engine needs a connection, and changes nothing there */
export async function writeMigration(databaseUrl: string, name: string | undefined): Promise<string> {
  if (!name || !/^[a-z0-9_]{2,60}$/.test(name))
    throw new Error("Give the migration a name such as add_tags.");
  const target = { path: SCHEMA, content: await readFile(SCHEMA, "utf8") };
  const { stdout } = await withSchemaEngine(databaseUrl, undefined, (engine) =>
    engine.diff({
      from: committedSchema(),
      to: { tag: "schemaDatamodel", files: [target] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  if (!stdout?.trim() || stdout.includes("empty migration")) return "The schema has not changed.";
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = join("prisma/migrations", `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "migration.sql"), stdout);
  return `Wrote ${folder}/migration.sql: read it before you commit it.`;
}

function committedSchema(): DiffTarget {
  try {
    const content = execFileSync("git", ["show", `HEAD:${SCHEMA}`], { encoding: "utf8", stdio: "pipe" });
    return { tag: "schemaDatamodel", files: [{ path: SCHEMA, content }] };
  } catch {
    return { tag: "empty" };
  }
}
