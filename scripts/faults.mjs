// `npm run test:faults`: kills processes, database, disk and mail server, and prints the measurements of each test.
// ROUNDS=50 for more kills; arguments select files, as in `npm run test:faults -- kills`. TOPOLOGY=full kills two processes and
// their primary, behind Varnish, HAProxy and PgBouncer, with standbys and a bucket.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { prepare } from "./prepare.mjs";
import { requirePrograms } from "./system-packages.mjs";

const report = ".cache/reports/faults.json";
const rounds = Number(process.env.ROUNDS ?? 10);
const limit = Math.max(10, 5 + rounds / 2) * 60_000;

if (process.env.TOPOLOGY === "full") requirePrograms("haproxy", "pgbouncer", "varnishd");
await prepare({ tools: true });
mkdirSync(".cache/reports", { recursive: true });
rmSync(report, { force: true });
const began = Date.now();
const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "faults", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, {
  env: { ...process.env, VITEST_REPORT: report },
  stdio: ["ignore", "inherit", "inherit"],
});
const timer = setTimeout(() => child.kill("SIGTERM"), limit);
const code = await new Promise((resolve) => child.on("close", resolve));
clearTimeout(timer);

const verdicts = { passed: "held", failed: "VIOLATED" };
const rows = readRows();
for (const { verdict, title, observed } of rows)
  console.log(`${verdict.padEnd(8)} | ${title}\n         | ${observed}`);
const violated = rows.filter(({ verdict }) => verdict === "VIOLATED").length;
const notRun = rows.filter(({ verdict }) => verdict === "NOT RUN").length;
const held = rows.length - violated - notRun;
const time = Math.round((Date.now() - began) / 1000);
console.log(`\n${held} held, ${violated} violated, ${notRun} not run, in ${time} s`);
process.exit(code === 0 && held > 0 ? 0 : 1);

function readRows() {
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    return testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status, meta }) => ({
        title,
        verdict: verdicts[status] ?? "NOT RUN",
        observed: meta?.observed ?? "nothing",
      })),
    );
  } catch {
    return [{ title: "the whole run", verdict: "VIOLATED", observed: `ended without a report (${code})` }];
  }
}
