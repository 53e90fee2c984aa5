// Does the same as `prisma generate` with the generator alone: Prisma's command line would add 200 MB to `npm start`.
import { createRequire } from "node:module";

// Prisma's ES modules of these packages import unpublished files; the CommonJS builds work.
const require = createRequire(import.meta.url);
const { PrismaClientTsGenerator } = require("@prisma/client-generator-ts");
const { enginesVersion } = require("@prisma/engines-version");
const { getGenerator, loadSchemaContext } = require("@prisma/internals");

const schemaContext = await loadSchemaContext({
  schemaPath: { cliProvidedPath: "prisma/schema.prisma" },
  printLoadMessage: false,
});
const generator = await getGenerator({
  schemaContext,
  registry: { "prisma-client": { type: "in-process", generator: new PrismaClientTsGenerator() } },
  version: enginesVersion,
  skipDownload: true,
  cliCommand: "prisma generate",
});
await generator.generate();
generator.stop();
