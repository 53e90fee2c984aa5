import { mkdirSync, writeFileSync } from "node:fs";
import { COMPONENTS, type Cost } from "./costs.ts";
import { faults as known } from "./faults.ts";
import type { FaultResult, Failures } from "./run-fault.ts";

export type Report = {
  date: string;
  cores: number;
  load: number;
  node: string;
  costs: Cost[];
  faults: FaultResult[];
  emails: { registered: number; missing: number; twice: number };
  violations: string[];
};

export const REPORT_FILE = ".cache/reports/rehearsal.json";

export function writeReport(report: Report): void {
  mkdirSync(".cache/reports", { recursive: true });
  writeFileSync(REPORT_FILE, `${JSON.stringify(report, null, 2)}\n`);
}

export const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map((_, n) => (n === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const failuresOf = ({ failed, requests, seconds }: Failures) =>
  failed === 0 ? "none" : `${seconds} s (${failed} of ${requests})`;

function allowedOf(name: string): string {
  const { mayFail } = known.find((fault) => fault.name === name) ?? {};
  if (!mayFail) return "";
  const who = mayFail.readers ? "reads and writes" : mayFail.writers ? "writes" : "nothing";
  return `${who}: ${mayFail.because}`;
}

export const faultTable = (faults: FaultResult[]): string =>
  table(
    ["fault", "may fail", "reads failed in", "writes failed in", "slowest", "lost", "stale"],
    faults.map(({ name, readers, writers, slowest, lost, stale }) => [
      ...[name, allowedOf(name), failuresOf(readers), failuresOf(writers)],
      ...[`${slowest.toFixed(1)} s`, lost.length, stale.length],
    ]),
  );

const digits = (value: number) => (value < 0.005 ? "0" : value < 10 ? value.toFixed(2) : value.toFixed(0));

export const costTable = (costs: Cost[]): string =>
  table(
    ["request", "processes", ...COMPONENTS, "a second"],
    costs.map(({ kind, processes, cpu, perSecond }) => [
      ...[kind, processes],
      ...COMPONENTS.map((name) => digits(cpu[name] ?? 0)),
      digits(perSecond),
    ]),
  );
