import { readdirSync } from "node:fs";
import graphql from "@graphql-eslint/eslint-plugin";
import checkFile from "eslint-plugin-check-file";
import { importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

const foldersIn = (place) =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

// Import rules (CONTRIBUTING.md), derived from the existing folders. A new folder without an entry may only be imported
// by itself, `cli` and `jobs`.
const serverFolders = foldersIn("server").filter((folder) => !["generated", "testing"].includes(folder));
/** The domain's types that adapters may import. */
const ports = ["domain/ports.ts", "domain/post-selection.ts", "domain/context.ts"];
const startFiles = ["env.ts", "services.ts", "start-error.ts", "first-run.ts"];
const mayImport = {
  domain: ["generated"],
  graphql: ["domain", "http"],
  rest: ["domain", "http"],
  web: ["domain", "http"],
  http: ["domain/context.ts"],
  cache: ["http", ...ports],
  cdn: ["http", ...ports],
  markdown: ports,
  data: ["generated", ...ports],
  media: ports,
  mail: ports,
  metrics: ["data", "http", "jobs"],
  tracing: ["start-error.ts"],
  demo: ["domain", "generated"],
  jobs: [...serverFolders, "generated", ...startFiles],
  cli: [...serverFolders, "generated", ...startFiles],
};

const sharedFiles = [
  "batches.ts",
  "build-folder.ts",
  "disk-space.ts",
  "errors.ts",
  "event-loop/fair-queue.ts",
  "event-loop/heavy-tasks.ts",
  "event-loop/time-budget.ts",
  "event-loop/time-slices.ts",
  "limits.ts",
  "networks.ts",
  "outgoing/host-addresses.ts",
  "outgoing/http-thread.ts",
  "outgoing/limited-socket.ts",
  "outgoing/service-socket.ts",
  "outgoing/tls-defaults.ts",
  "tracing/operation.ts",
  "queue.ts",
  "disk.ts",
  "tracing/tracing.ts",
  "version.ts",
  "with-deadline.ts",
];

const serverZones = serverFolders.map((folder) => ({
  target: `./server/${folder}/**/!(*.test).ts`,
  from: "./server",
  except: [...new Set([folder, ...(mayImport[folder] ?? []), ...sharedFiles])].map((name) => `./${name}`),
  message: `server/${folder} must not import this.`,
}));

const featureZones = foldersIn("client/features").map((feature) => ({
  target: `./client/features/${feature}/**/!(*.test).{ts,tsx}`,
  from: "./client",
  except: [`./features/${feature}`, "./ui", "./lib", "./generated", "./config"],
  message: "A feature may import ui, lib, config and the generated documents; pages compose features.",
}));

const clientZones = [
  ...featureZones,
  {
    target: "./client/pages/**/!(*.test).{ts,tsx}",
    from: "./client",
    except: ["./pages", "./features", "./ui", "./lib", "./generated", "./config"],
    message: "A page may import features, ui, lib, config and the generated documents.",
  },
  {
    target: "./client/worker/**/!(*.test).ts",
    from: "./client",
    except: ["./worker", "./lib"],
    message: "The service worker is a small script of its own.",
  },
  {
    target: ["./client/ui", "./client/lib"],
    from: ["./client/app", "./client/features", "./client/pages"],
    message: "ui and lib know nothing of the blog.",
  },
  {
    target: "./client",
    from: ["./server"],
    message: "schema.graphql alone stands between client and server.",
  },
  { target: "./server", from: "./client", message: "The server loads the client as a build product." },
  {
    target: "./server",
    from: "./prisma",
    message: "prisma holds the schema and its migrations, and no code.",
  },
];

const graphqlFiles = (files, rules) => ({
  files: [files],
  plugins: { "@graphql-eslint": graphql },
  languageOptions: {
    parser: graphql.parser,
    parserOptions: { graphQLConfig: { schema: "schema.graphql", documents: "client/**/*.graphql" } },
  },
  rules,
});

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "node_modules/",
      ".data/",
      ".cache/",
      "**/generated/",
      "**/__generated__/",
      "client/explorer/built/",
      "bench/",
    ],
  },
  {
    files: ["**/*.{ts,tsx,js,mjs}"],
    extends: [tseslint.configs.strict],
    plugins: { "import-x": importX, "check-file": checkFile, "react-hooks": reactHooks, regexp },
    settings: {
      "import-x/resolver-next": [importX.createNodeResolver({ extensions: [".ts", ".tsx", ".js", ".mjs"] })],
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "import-x/no-restricted-paths": ["error", { zones: [...serverZones, ...clientZones] }],
      "import-x/no-cycle": ["error", { ignoreExternal: true }],
      "import-x/no-default-export": "error",
      "check-file/filename-naming-convention": [
        "error",
        { "**/*": "KEBAB_CASE" },
        { ignoreMiddleExtensions: true },
      ],
      "max-lines": ["error", { max: 300, skipBlankLines: false }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      // TypeGraphQL needs resolver classes that hold only methods.
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-console": "error",
    },
  },
  {
    // Visitors choose what these expressions search, so none may take more than linear time.
    files: ["{client,server}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.*", "**/testing/**", "server/{cli,data}/**", "server/env.ts", "client/app/boot/**"],
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "certain" }],
    },
  },
  {
    files: ["client/**/*.tsx"],
    rules: { "max-lines-per-function": ["error", { max: 80, skipBlankLines: true }] },
  },
  {
    files: [
      "**/*.test.{ts,tsx}",
      "e2e/**",
      "faults/**",
      "attacks/**",
      "deploy/**",
      "rehearsal/*.test.ts",
      "examples/**",
      "{server,client}/testing/**",
    ],
    rules: {
      "max-lines-per-function": "off",
      "no-console": "off",
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  graphqlFiles("schema.graphql", {
    ...graphql.configs["flat/schema-recommended"].rules,
    "@graphql-eslint/require-description": [
      "error",
      { types: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
    ],
    "@graphql-eslint/naming-convention": [
      "error",
      {
        types: "PascalCase",
        ...{
          FieldDefinition: "camelCase",
          InputValueDefinition: "camelCase",
          DirectiveDefinition: "camelCase",
        },
        // Those of DeletedType are the names of types.
        EnumValueDefinition: { requiredPattern: /^([A-Z_]+|Category|Comment|Post|Profile)$/ },
      },
    ],
    // The specification has username and profilePhoto.
    "@graphql-eslint/no-typename-prefix": "off",
    // Connections, edges and the like are not objects that clients store.
    "@graphql-eslint/strict-id-in-types": "off",
  }),
  graphqlFiles("client/**/*.graphql", {
    ...graphql.configs["flat/operations-recommended"].rules,
    // Fragments are also read from the client's cache.
    "@graphql-eslint/no-unused-fragments": "off",
  }),
  { files: ["server/testing/markdown/*.ts"], rules: { "max-lines": "off" } },
  {
    files: ["**/*.config.{ts,js}", "codegen.ts", "{client,server}/**/*.d.ts", "**/global-setup.ts"],
    rules: { "import-x/no-default-export": "off" },
  },
  // Diagnostics only; errors show on the page.
  { files: ["client/**"], rules: { "no-console": ["error", { allow: ["info"] }] } },
  {
    files: ["server/main.ts", "server/cli/blog.ts", "scripts/**", "e2e/**"],
    rules: { "no-console": "off" },
  },
  {
    // Only env.ts reads the environment; the embedded database and tests pass it to child processes.
    files: ["server/**/*.ts"],
    ignores: ["server/env.ts", "server/testing/**", "server/data/embedded/cluster.ts", "**/*.test.ts"],
    rules: {
      "no-restricted-properties": ["error", { object: "process", property: "env", message: "Use env.ts." }],
    },
  },
);
