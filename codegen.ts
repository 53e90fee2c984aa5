import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "schema.graphql",
  documents: "client/**/*.graphql",
  generates: {
    "client/generated/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
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
