import { defineConfig } from "vitest/config";

// graphql comes as CommonJS and as ES modules; two copies of it do not know each other's types.
const oneGraphql = { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] };
const reporters = [
  "default",
  ["json", { outputFile: process.env["VITEST_REPORT"] ?? ".cache/reports/vitest.json" }],
];

// Settings of the person who runs the tests, their database above all, are not those of the tests.
const env = { ENV_FILE: "/dev/null" };

export default defineConfig({
  test: {
    reporters: reporters as never,
    projects: [
      {
        resolve: oneGraphql,
        oxc: { decorator: { legacy: true } },
        test: {
          name: "server",
          env,
          sequence: { groupOrder: 1 },
          // What the fault suite checks with is tested here, where it is always run.
          include: ["server/**/*.test.ts", "faults/testing/*.test.ts"],
          globalSetup: "server/testing/global-setup.ts",
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
          sequence: { groupOrder: 0 },
          include: ["client/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "e2e",
          env,
          // Last and alone: a browser wants the machine for itself.
          sequence: { groupOrder: 3 },
          include: ["e2e/**/*.test.ts"],
          globalSetup: "e2e/global-setup.ts",
          testTimeout: 60_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 10_000 } },
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "attacks",
          env,
          // After the server's tests and before those in a browser, alone: memory is compared.
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
          // Never part of `npm test`, since it needs programs of the system: `npm run test:deploy`.
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
          // Never part of `npm test`: `npm run test:faults`. One at a time, because times are held to limits.
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
