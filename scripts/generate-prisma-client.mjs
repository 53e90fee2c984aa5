// Generates the database client from prisma/schema.prisma, as `prisma generate` does. Prisma's command line brings
// 200 MB that only its other commands use, so `npm start` installs the generator alone.
import { createRequire } from "node:module";

// Prisma publishes these as CommonJS; their ES modules import files that are not in the package.
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
