import { readFile } from "node:fs/promises";
import type { Running } from "./measure.ts";

/** Resident memory in MB. */
export const memoryOf = ({ child }: Running): Promise<number> => residentMB(child.pid ?? 0);

async function residentMB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/**
 * Resident memory in MB of a server and the processes that it has started, such as the encoders of pictures.
 * @returns the sum; the same without the pages of files that several have in common, such as Node's own program; and what
 *   each process has of its own
 */
export async function memoryOfAll({ child: { pid } }: Running): Promise<All> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const pids = [String(pid), ...children.trim().split(" ")].filter((each) => each !== "");
  const largest = new Map<string, number>();
  const own: number[] = [];
  let sum = 0;
  for (const each of pids) {
    let anonymous = 0;
    for (const { file, resident } of await mappingsOf(each)) {
      sum += resident;
      if (file === "") anonymous += resident;
      else largest.set(file, Math.max(largest.get(file) ?? 0, resident));
    }
    own.push(Math.round(anonymous / 1024));
  }
  const shared = [...largest.values()].reduce((total, each) => total + each, 0) / 1024;
  const distinct = own.reduce((total, each) => total + each, shared);
  return { sum: Math.round(sum / 1024), distinct: Math.round(distinct), own };
}

type All = { sum: number; distinct: number; own: number[] };

/** Kilobytes by range of a file; those of no file have the name "". */
async function mappingsOf(pid: string): Promise<{ file: string; resident: number }[]> {
  const text = await readFile(`/proc/${pid}/smaps`, "utf8").catch(() => "");
  return text.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).flatMap((mapping) => {
    const valueOf = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(mapping)?.[1] ?? 0);
    const [, , offset, , , file = ""] = mapping.slice(0, mapping.indexOf("\n")).split(/ +/);
    const own = file.startsWith("/") ? valueOf("Anonymous") : valueOf("Rss");
    return [
      { file: "", resident: own },
      { file: `${file} ${offset}`, resident: valueOf("Rss") - own },
    ];
  });
}

/** Watches the memory until `done`. @returns the highest of the server, and of all with what each process had then */
export async function highestMemory(running: Running, done: Promise<unknown>) {
  let server = 0;
  let all: All = { sum: 0, distinct: 0, own: [] };
  let isDone = false;
  const end = () => void (isDone = true);
  done.then(end, end);
  while (!isDone) {
    const now = await memoryOfAll(running);
    if (now.distinct > all.distinct) all = now;
    server = Math.max(server, await memoryOf(running));
    await new Promise((wake) => setTimeout(wake, 500));
  }
  return { server, ...all };
}
