import { readFileSync } from "node:fs";
import type { Program } from "../../deploy/testing/programs.ts";
import { sleep } from "../../faults/testing/observations.ts";

type Launched = Pick<Program, "process" | "output">;

/** One program of the topology, which can be killed and started again. */
export type Part = ReturnType<typeof openPart>;

const START_TIME = 20_000;

export function openPart(name: string, launch: () => Promise<Launched>) {
  let current: Launched | null = null;
  /** CPU time of earlier processes, which /proc has forgotten. */
  let spent = 0;

  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    if (!current) return;
    const { process: child } = current;
    const pids = treeOf(child.pid ?? 0);
    spent += cpuOf(pids);
    current = null;
    // As if the machine were lost: without a chance for the children to clean up.
    for (const pid of signal === "SIGKILL" ? pids : pids.slice(0, 1)) tryKill(pid, signal);
    while (pids.some(isAlive)) await sleep(20);
  };

  return {
    name,
    /** Tries until it starts: a killed predecessor may still hold the port or a lock. @throws the last failure */
    async start(): Promise<void> {
      for (const until = Date.now() + START_TIME; ; await sleep(200)) {
        try {
          current = await launch();
          return;
        } catch (error) {
          if (Date.now() > until) throw error;
        }
      }
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    signal: (signal: NodeJS.Signals) => tryKill(current?.process.pid ?? 0, signal),
    hasEnded: () => current === null,
    hasCrashed: () => current !== null && !isAlive(current.process.pid ?? 0),
    output: () => current?.output() ?? "",
    /** Milliseconds of CPU time of all its processes so far. */
    cpu: () => spent + (current ? cpuOf(treeOf(current.process.pid ?? 0)) : 0),
  };
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}

const statOf = (pid: number) => {
  const stat = readProc(`${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

const isAlive = (pid: number) => !["", "Z", "X"].includes(statOf(pid)[0] ?? "");

function treeOf(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim();
  return [pid, ...(children ? children.split(" ").flatMap((child) => treeOf(Number(child))) : [])];
}

/** With that of ended children. Linux counts in hundredths of a second. */
const cpuOf = (pids: number[]) =>
  pids.reduce((sum, pid) => {
    const fields = statOf(pid).slice(11, 15);
    return sum + fields.reduce((total, field) => total + Number(field) * 10, 0);
  }, 0);

export const ownCpu = () => cpuOf([process.pid]);
