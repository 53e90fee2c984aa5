// `npm run explorer`: builds the GraphQL explorer into client/explorer/built, which is committed: GraphiQL's packages
// (110 MB) are then needed by its developers alone. scripts/explorer.test.ts holds the folder to its source.
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

await prepare({ upTo: "install", tools: true });
const { build } = await import("vite");
process.env.NODE_ENV = "production";
const configFile = fileURLToPath(new URL("../client/explorer/vite.config.ts", import.meta.url));
await build({ configFile, logLevel: "warn", build: { outDir: process.argv[2] ?? "built" } });
