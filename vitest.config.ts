import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// graphql ships as CommonJS and as ES modules; two copies would reject each other's types.
const oneGraphql = { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] };
const reporters = [
  "default",
  ["json", { outputFile: process.env["VITEST_REPORT"] ?? ".cache/reports/vitest.json" }],
];

/** Files that take half a minute or more, longest first. */
const long = [
  ...["product", "accessibility", "editor", "admin", "updating", "writing", "accounts"],
  ...["find-operation.slow", "renderer.slow", "embedded-postgres.slow", "migrations.slow", "streams.slow"],
  ...["machine-claim", "cache-invalidation.slow", "worker.slow", "backup.slow"],
  ...["permissions.slow", "render.slow", "exactness.slow", "publishing.slow", "replicas.slow"],
];

/** Starts the longest files first: one that starts last keeps the other worker idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return rank < 0 ? long.length : rank;
    };
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

const patient = { poll: { timeout: 10_000 } };

// Keeps the developer's own settings, such as the database URL, out of the tests.
const env = { ENV_FILE: "/dev/null" };

export default defineConfig({
  test: {
    reporters: reporters as never,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: oneGraphql,
        oxc: { decorator: { legacy: true } },
        test: {
          name: "server",
          env,
          expect: patient,
          sequence: { groupOrder: 1 },
          // Includes the tests of the fault suite's checker, because that suite is not part of `npm test`.
          include: ["server/**/*.test.ts", "faults/testing/*.test.ts"],
          globalSetup: "server/testing/global-setup.ts",
          setupFiles: "server/testing/setup.ts",
          // Test files share the modules that they import: loading the server takes a second.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          server: {
            deps: { inline: [/type-graphql/, /graphql-scalars/, /@apollo\/server/, /graphql-upload/] },
          },
        },
      },
      {
        resolve: oneGraphql,
        test: {
          name: "client",
          env,
          expect: patient,
          sequence: { groupOrder: 0 },
          include: ["client/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "rehearsal/*.test.ts"],
          testTimeout: 20_000,
          // Vitest's default is one less than the machine has cores.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "e2e",
          env,
          expect: patient,
          // Runs last and alone: browsers need the whole machine. Each of the two workers has a blog of its own.
          sequence: { groupOrder: 3 },
          include: ["e2e/**/*.test.ts"],
          globalSetup: "e2e/global-setup.ts",
          // The files of a worker share its blog and the modules that they import.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
          maxConcurrency: 2,
        },
      },
      {
        test: {
          name: "firefox",
          env: { ...env, BROWSER: "firefox" },
          expect: patient,
          // Part of `FIREFOX=1 npm test`.
          sequence: { groupOrder: 6 },
          include: ["e2e/{newcomer,accounts,writing}.test.ts"],
          globalSetup: "e2e/global-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "attacks",
          env,
          expect: patient,
          // Runs alone, between the server's and the browser tests, because it compares memory use.
          sequence: { groupOrder: 2 },
          include: ["attacks/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "deploy",
          env,
          expect: patient,
          // Never part of `npm test`: `npm run test:deploy` needs system programs.
          sequence: { groupOrder: 5 },
          include: ["deploy/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "faults",
          env,
          expect: patient,
          // Never part of `npm test`: `npm run test:faults`. Sequential, because the tests check time limits.
          sequence: { groupOrder: 4 },
          include: ["faults/*.test.ts"],
          testTimeout: 120_000 + 25_000 * Number(process.env["ROUNDS"] ?? 10),
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
