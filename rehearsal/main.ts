import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { sleep } from "../faults/testing/observations.ts";
import { measureCosts, type Cost } from "./costs.ts";
import { faults } from "./faults.ts";
import { costTable, faultTable, REPORT_FILE, writeReport } from "./report.ts";
import { runFault, type FaultResult } from "./run-fault.ts";
import { findLost, prepareScene } from "./scene.ts";
import { openTopology, startBelow, type Topology } from "./topology/topology.ts";
import { startWorkload, type Scene } from "./workload/workload.ts";

const log = (line: string) => void process.stdout.write(`${line}\n`);

async function startBlogs(topology: Topology, withCosts: boolean): Promise<{ scene: Scene; costs: Cost[] }> {
  const costs: Cost[] = [];
  let scene: Scene | null = null;
  for (const [n, blog] of topology.blogs.entries()) {
    await blog.start();
    // HAProxy has to see it first.
    await sleep(1_000);
    scene ??= await prepareScene(topology);
    if (!withCosts) continue;
    await warmUp(scene);
    costs.push(...(await measureCosts(topology, scene, n + 1)));
    log(`  ${n + 1} of ${topology.blogs.length} processes measured`);
  }
  if (!scene) throw new Error("there is no process of the blog");
  return { scene, costs };
}

async function warmUp(scene: Scene): Promise<void> {
  const load = startWorkload(scene);
  await sleep(2_000);
  await load.stop();
}

async function causeFaults(topology: Topology, scene: Scene, chosen: string[]): Promise<FaultResult[]> {
  const isChosen = (name: string) => chosen.length === 0 || chosen.some((word) => name.includes(word));
  const results: FaultResult[] = [];
  for (const fault of faults.filter(({ name }) => isChosen(name))) {
    const result = await runFault(fault, topology, scene);
    results.push(result);
    const { violations } = result;
    log(`  ${fault.name}: ${violations.length === 0 ? "held" : violations.join("; ")}`);
  }
  return results;
}

/** Milliseconds: the jobs of a killed process are found within half a minute, and a delivery that failed is repeated. */
const EMAIL_TIMEOUT = 60_000;

/** Each acknowledged registration has sent one email. */
async function countEmails(outbox: string, { registered }: Scene) {
  const count = new Map<string, number>();
  for (const until = Date.now() + EMAIL_TIMEOUT; Date.now() < until; await sleep(500)) {
    count.clear();
    for (const name of await readdir(outbox)) {
      const [, to = ""] = /^To: (.*?)\r?$/m.exec(await readFile(join(outbox, name), "utf8")) ?? [];
      count.set(to, (count.get(to) ?? 0) + 1);
    }
    if (registered.every((email) => count.has(email))) break;
  }
  const counts = registered.map((email) => count.get(email) ?? 0);
  return {
    registered: registered.length,
    missing: counts.filter((n) => n === 0).length,
    twice: counts.filter((n) => n > 1).length,
  };
}

/** What the standbys have, once they have replayed everything. */
async function compareStandbys(topology: Topology, scene: Scene): Promise<string[]> {
  const found: string[] = [];
  for (const standby of topology.standbys()) {
    const until = Date.now() + 10_000;
    while (!(await standby.hasCaughtUp(topology.primary)) && Date.now() < until) await sleep(100);
    found.push(...(await findLost(standby.url, scene)).map((fact) => `${standby.name}: ${fact}`));
  }
  return found;
}

async function rehearse(topology: Topology, chosen: string[]): Promise<number> {
  const began = Date.now();
  log("PostgreSQL with two standbys, PgBouncer, a bucket, HAProxy and Varnish …");
  await startBelow(topology);
  log("processes of the blog …");
  const { scene, costs } = await startBlogs(topology, chosen.length === 0);
  log("faults …");
  const results = await causeFaults(topology, scene, chosen);
  const emails = await countEmails(topology.outbox, scene);
  const violations = [
    ...results.flatMap((each) => each.violations.map((violation) => `${each.name}: ${violation}`)),
    ...(await compareStandbys(topology, scene)),
    ...(emails.missing > 0 ? [`${emails.missing} emails were not sent`] : []),
  ];
  const [, , load = 0] = loadavg();
  const { acknowledged, unanswered } = scene.history.tally;
  writeReport({
    ...{ date: new Date().toISOString().slice(0, 10), cores: availableParallelism(), load },
    ...{ node: process.version, costs, faults: results, emails, violations },
  });
  log(
    `\nMilliseconds of CPU time for a request, on ${availableParallelism()} cores, load average ${load}:\n`,
  );
  log(`${costTable(costs)}\n\n${faultTable(results)}\n`);
  log(
    `${acknowledged} writes acknowledged, ${unanswered} unanswered; ${emails.registered} registrations, of which`,
  );
  log(
    `${emails.missing} have no email and ${emails.twice} two. ${Math.round((Date.now() - began) / 1_000)} s; ${REPORT_FILE}`,
  );
  for (const violation of violations) log(`VIOLATED: ${violation}`);
  return violations.length === 0 ? 0 : 1;
}

const topology = await openTopology();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void topology.stop().finally(() => process.exit(1)));
try {
  process.exitCode = await rehearse(topology, process.argv.slice(2));
} catch (error) {
  log(String((error as Error).stack));
  for (const part of topology.parts())
    if (part.hasCrashed()) log(`${part.name}:\n${part.output().slice(-2_000)}`);
  process.exitCode = 1;
} finally {
  await topology.stop();
}
