import { defineConfig } from "prisma/config";

// `prisma generate` needs no schema engine, but looks for its binary and would try to download it.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations", seed: "node scripts/blog.mjs seed" },
  ...(process.env["DATABASE_URL"] ? { datasource: { url: process.env["DATABASE_URL"] } } : {}),
});
