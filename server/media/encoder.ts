import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { BlogError, fileTooLarge, type ErrorCode } from "../errors.ts";
import { createBulkhead, createQueue } from "../queue.ts";
import type { EncodedFile, EncodedPicture } from "./encode.ts";
import { createEncodingBudget } from "./encoding-budget.ts";

export type EncodeTask = { bytes: Buffer } & (
  { kind: "picture" } | { kind: "wide" } | { kind: "card" } | { kind: "avif"; width: number }
);
export type EncodeReply = { result: unknown } | { code: ErrorCode; message: string } | { failure: string };

/** Milliseconds for one picture. */
const DEADLINE = 30_000;
/** Milliseconds without work after which the process exits to free its memory. */
const IDLE = 60_000;
/** Resident bytes, as the system reports them: decoded pictures are outside of V8's heap. */
const MEMORY = 700 * 1024 * 1024;
const WATCH = 100;
/** Resident bytes after a task above which the process is not reused. */
const REUSE_MEMORY = 250 * 1024 * 1024;
/** Nice values of the processes; the server has 0. Jobs yield to uploads. */
const PRIORITIES = { uploads: 10, jobs: 19 };

/** Bytes. Any value also stops glibc from raising both with the largest block so far. */
const LARGE_BLOCKS_ARE_RETURNED = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

type Options = {
  file: string;
  deadline?: number;
  memory?: number;
};

export type Encoder = {
  /** Queues fairly by `origin`. @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, RATE_LIMITED, UNAVAILABLE */
  encodePicture: (bytes: Buffer, origin?: string) => Promise<EncodedPicture>;
  encodeWide: (bytes: Buffer) => Promise<{ widths: number[]; files: EncodedFile[] }>;
  encodeAvif: (bytes: Buffer, width: number) => Promise<Buffer>;
  encodeCard: (bytes: Buffer, origin?: string) => Promise<Buffer>;
  close: () => Promise<void>;
  /** Tasks whose process was killed at a limit or ended, of uploads and of jobs. */
  countFailures: () => { uploads: number; jobs: number };
};

/** Encodes uploads in one child process, and the files of jobs in another. */
export function openEncoder(options: Options): Encoder {
  const limitEncoding = createBulkhead("encoding");
  const limitJobs = createQueue({ concurrency: 1, maxQueued: 10, timeoutMs: 10 * 60_000 }, "encoding_jobs");
  const spend = createEncodingBudget();
  const uploads = openProcess(options, PRIORITIES.uploads);
  const jobs = openProcess(options, PRIORITIES.jobs);
  return {
    encodePicture: (bytes, origin = "") =>
      limitEncoding(
        () => spend(origin, () => uploads.run<EncodedPicture>({ kind: "picture", bytes })),
        origin,
      ),
    encodeCard: (bytes, origin) => limitEncoding(() => uploads.run<Buffer>({ kind: "card", bytes }), origin),
    encodeWide: (bytes) => limitJobs(() => jobs.run({ kind: "wide", bytes })),
    encodeAvif: (bytes, width) => limitJobs(() => jobs.run<Buffer>({ kind: "avif", bytes, width })),
    countFailures: () => ({ uploads: uploads.countFailures(), jobs: jobs.countFailures() }),
    close: async () => void (await Promise.all([uploads.close(), jobs.close()])),
  };
}

/** A child process, which is killed if a picture takes too long or too much memory. */
function openProcess({ file, deadline = DEADLINE, memory = MEMORY }: Options, priority: number) {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let failures = 0;

  async function run<T>(task: EncodeTask): Promise<T> {
    clearTimeout(idle);
    const worker = (child ??= start(file, priority, (ended) => {
      if (child === ended) child = null;
    }));
    worker.ref();
    worker.channel?.ref();
    try {
      const reply = await replyOf(worker, task, { deadline, memory }).catch((error: unknown) => {
        failures++;
        throw error;
      });
      if ("result" in reply) return reply.result as T;
      throw "code" in reply ? new BlogError(reply.code, reply.message) : new Error(reply.failure);
    } finally {
      // An idle process must not keep a command running.
      worker.unref();
      worker.channel?.unref();
      const isOver = worker.exitCode !== null || worker.killed || !worker.connected;
      // Memory left over from one picture must not make the next one exceed the limit.
      if (isOver || residentBytes(worker.pid) > REUSE_MEMORY) await close();
      else idle = setTimeout(close, IDLE).unref();
    }
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ending = child;
    child = null;
    if (ending?.connected) ending.disconnect();
  }

  return { run, close, countFailures: () => failures };
}

/** @param onExit also called if the process dies while idle, killed by the system for instance */
function start(file: string, priority: number, onExit: (ended: ChildProcess) => void): ChildProcess {
  const child = fork(file, [String(priority)], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [...["--max-old-space-size=192", "--max-semi-space-size=1", "--expose-gc"], "--v8-pool-size=0"],
    // Of glibc: one heap for all threads, which returns the memory of a picture to the system.
    env: { MALLOC_ARENA_MAX: "1", ...LARGE_BLOCKS_ARE_RETURNED },
  });
  // An error without a pending task must not be thrown.
  return child.on("error", () => undefined).once("exit", () => onExit(child));
}

function replyOf(child: ChildProcess, task: EncodeTask, limits: { deadline: number; memory: number }) {
  return new Promise<EncodeReply>((resolve, reject) => {
    const end = () => {
      child.kill("SIGKILL");
      settle(() => reject(fileTooLarge()));
    };
    const timer = setTimeout(end, limits.deadline);
    const watch = setInterval(() => residentBytes(child.pid) > limits.memory && end(), WATCH);
    const onMessage = (reply: unknown) => settle(() => resolve(reply as EncodeReply));
    const onExit = () => settle(() => reject(endedEarly()));
    function settle(complete: () => void): void {
      clearTimeout(timer);
      clearInterval(watch);
      child.off("message", onMessage).off("exit", onExit);
      complete();
    }
    child.on("message", onMessage).on("exit", onExit);
    child.send(task, (error) => error && onExit());
  });
}

const endedEarly = () =>
  new BlogError("UNAVAILABLE", "the picture could not be processed just now, please try again", {
    retryAfter: 5,
  });

const PAGE = 4_096;

/** Zero if the system does not report it. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE;
  } catch {
    return 0;
  }
}
