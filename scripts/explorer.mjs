// `npm run explorer`: builds the GraphQL explorer. The build is committed, so only its developers need the
// 110 MB of GraphiQL's packages. scripts/explorer.test.ts checks that it matches its source.
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

await prepare({ upTo: "install", tools: true });
const { build } = await import("vite");
process.env.NODE_ENV = "production";
const configFile = fileURLToPath(new URL("../client/explorer/vite.config.ts", import.meta.url));
await build({ configFile, logLevel: "warn", build: { outDir: process.argv[2] ?? "built" } });
