// Generates the client's typed operations from codegen.ts, with the library behind `graphql-codegen`: the command line
// would add 50 MB of unused loaders to `npm start`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codegen } from "@graphql-codegen/core";
import { preset } from "@graphql-codegen/client-preset";
import { buildSchema, lexicographicSortSchema, parse, print, printSchema } from "graphql";
import { globSync } from "tinyglobby";
import { loadConfigFromFile } from "vite";

// Vite can load TypeScript; Node 20 cannot.
const { config } = await loadConfigFromFile({ command: "build", mode: "production" }, "codegen.ts");
const schemaAst = lexicographicSortSchema(buildSchema(readFileSync(config.schema, "utf8")));
const schema = parse(printSchema(schemaAst));

for (const [folder, output] of Object.entries(config.generates)) {
  const documents = globSync(output.documents).sort().map(readDocument);
  const files = await preset.buildGeneratesSection({
    ...{ baseOutputDir: folder, schema, schemaAst, documents, plugins: [], pluginMap: {} },
    ...{ presetConfig: output.presetConfig, config: { ...output.config, emitLegacyCommonJSImports: true } },
    documentTransforms: output.documentTransforms.map((transformObject) => ({ transformObject })),
  });
  for (const file of files) {
    mkdirSync(dirname(file.filename), { recursive: true });
    writeFileSync(file.filename, await codegen({ ...file, emitLegacyCommonJSImports: true }));
  }
}

function readDocument(location) {
  const document = parse(readFileSync(location, "utf8"));
  return { location, document, rawSDL: print(document) };
}
