// `npm run audit`: checks runtime dependencies for advisories. Prints NOT RUN if the registry offers none.
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", shell: false });
const report = parse(stdout);
const counts = report?.metadata?.vulnerabilities;
if (!counts) {
  const reason = report?.error?.summary || report?.message || "the registry gave no answer";
  console.log(`NOT RUN: ${String(reason).split(/\n| - /)[0]}`);
  process.exit(2);
}
for (const [name, { severity, via }] of Object.entries(report.vulnerabilities ?? {}))
  console.log(`${severity}: ${name}: ${via.map((each) => each.title ?? each).join("; ")}`);
console.log(
  `${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`,
);
process.exit(counts.critical + counts.high > 0 ? 1 : 0);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
