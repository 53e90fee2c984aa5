import { createHash } from "node:crypto";
import type { CodegenConfig } from "@graphql-codegen/cli";
import { addTypenameSelectionDocumentTransform } from "@graphql-codegen/client-preset";

const config: CodegenConfig = {
  schema: "schema.graphql",
  documents: "client/**/*.graphql",
  generates: {
    "client/generated/": {
      preset: "client",
      presetConfig: {
        fragmentMasking: false,
        // Bare digits, as `extensions.persistedQuery.sha256Hash` carries them.
        persistedDocuments: {
          hashAlgorithm: (text: string) => createHash("sha256").update(text).digest("hex"),
        },
      },
      // What is persisted has to be what the client's cache would ask for.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: {
        scalars: { DateTime: "string", Upload: "File" },
        strictScalars: true,
        useTypeImports: true,
        enumsAsTypes: true,
        dedupeFragments: true,
      },
    },
  },
};

export default config;
