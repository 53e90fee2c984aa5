// `npm test` runs everything; `npm run check` (--fast) leaves out slow tests, attacks and browsers. The last line sums up
// the reported results of all steps. `npm test -- names` runs only the test files with these names, those of faults too.
// `FIREFOX=1 npm test` repeats the main journeys in the system's Firefox.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { prepare } from "./prepare.mjs";
import { hasProgram } from "./system-packages.mjs";

const fast = process.argv.includes("--fast");
const names = process.argv.slice(2).filter((argument) => argument !== "--fast");
const report = ".cache/reports/vitest.json";
const hasFirefox = hasProgram("firefox-esr") || hasProgram("firefox");
const inFirefox = !fast && process.env.FIREFOX === "1";
const projects = [
  "server",
  "client",
  ...(fast ? [] : ["attacks", "e2e"]),
  ...(names.length > 0 ? ["faults"] : []),
  ...(inFirefox && hasFirefox ? ["firefox"] : []),
];

try {
  await prepare({ tools: true });
} catch (error) {
  console.error(error.message);
  console.log("0 passed, 1 failed");
  process.exit(1);
}
mkdirSync(".cache/reports", { recursive: true });
rmSync(report, { force: true });

let passed = 0;
let failed = 0;
if (names.length === 0)
  await Promise.all([
    check("types", "node_modules/typescript/bin/tsc", "--noEmit"),
    check("lint", "node_modules/eslint/bin/eslint.js", ".", "--cache", "--cache-location", ".cache/eslint"),
    check("format", "node_modules/prettier/bin/prettier.cjs", "--check", ".", "--log-level", "warn"),
  ]);

const code = await run([
  "node_modules/vitest/vitest.mjs",
  "run",
  ...projects.flatMap((name) => ["--project", name]),
  ...(fast ? ["--exclude", "**/*.slow.test.ts"] : []),
  ...names,
]);
const results = readReport();
passed += results.passed;
failed += results.failed;
// Counts an error outside of any test as a failure.
if (code !== 0 && results.failed === 0) failed++;
if (!projects.includes("firefox") && (inFirefox || (!fast && names.length === 0)))
  console.log(
    `Firefox: NOT RUN (FIREFOX=1 npm test; needs Debian's firefox-esr, which is ${hasFirefox ? "" : "not "}installed)`,
  );
if (inFirefox && !hasFirefox) failed++;
console.log(`${passed} passed, ${failed} failed${results.skipped ? `, ${results.skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);

async function check(name, ...args) {
  const works = (await run(args)) === 0;
  console.log(`${name}: ${works ? "passed" : "FAILED"}`);
  if (works) passed++;
  else failed++;
}

function readReport() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
    child.on("close", (code) => resolve(code));
  });
}
