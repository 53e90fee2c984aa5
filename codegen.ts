import { createHash } from "node:crypto";
import type { CodegenConfig } from "@graphql-codegen/cli";
import { addTypenameSelectionDocumentTransform } from "@graphql-codegen/client-preset";

/** What only admins ask; kept apart, so that no reader loads it. */
const ofAdmins = ["client/pages/admin/*.graphql", "client/features/{admin,letters}/*.graphql"];

const client = (documents: string[]) => ({
  documents,
  preset: "client" as const,
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
});

const config: CodegenConfig = {
  schema: "schema.graphql",
  generates: {
    "client/generated/": client(["client/**/*.graphql", ...ofAdmins.map((files) => `!${files}`)]),
    "client/generated/admin/": client([...ofAdmins, "client/ui/basics/picture.graphql"]),
  },
};

export default config;
