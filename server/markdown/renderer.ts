import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { createBulkhead } from "../queue.ts";
import { JOBS } from "../event-loop/time-budget.ts";
import { toPlainParagraphs } from "./plain.ts";
import type { Markdown } from "../domain/ports.ts";
import type { RenderTask } from "./worker.ts";

/** Increment when the rendered HTML changes: a job renders older versions again. */
const VERSION = 5;

/** Milliseconds for one text. */
const DEADLINE = 5_000;
/** Milliseconds without work after which the thread is terminated to free its memory. */
const IDLE = 30_000;
/** V8's default for young objects takes 28 MB more, and a tenth less CPU. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 4 };
/** Milliseconds for which an owner of a text that timed out is not rendered. */
const PAUSE = 10 * 60_000;

type Log = { warn: (line: object, message: string) => void };

type Options = {
  workerFile: string;
  log: Log;
  deadline?: number;
};

export function openMarkdown(options: Options) {
  const [posts, jobs] = [openRenderer("rendering", options), openRenderer("rendering", options)];
  const previews = openRenderer("previews", options);
  const renderers = [posts, jobs, previews];
  const markdown: Markdown = {
    version: VERSION,
    toPlain: toPlainParagraphs,
    render: (text, owner, pictures, share) =>
      (share === JOBS ? jobs : posts).render(text, owner, pictures, share),
    preview: previews.render,
  };
  const countFailures = () => renderers.reduce((sum, each) => sum + each.countFailures(), 0);
  return {
    markdown,
    countFailures,
    close: async () => void (await Promise.all(renderers.map((each) => each.end()))),
  };
}

/** Terminates its worker thread if a text takes too long or too much memory; the text becomes plain paragraphs. */
function openRenderer(kind: "rendering" | "previews", { workerFile, log, deadline = DEADLINE }: Options) {
  const limitRendering = createBulkhead(kind);
  const owners = new Set<string>();
  /** Owners whose texts stay plain during PAUSE, so that others are rendered. */
  const tooSlow = new LRUCache<string, true>({ max: 1_000, ttl: PAUSE });
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let failures = 0;

  async function renderInThread(task: RenderTask, owner: string): Promise<string> {
    const { text } = task;
    clearTimeout(idle);
    const thread = (worker ??= openThread(workerFile));
    thread.ref();
    try {
      return await replyOf(thread, task, deadline);
    } catch (error) {
      worker = null;
      failures++;
      tooSlow.set(owner, true);
      void thread.terminate();
      log.warn(
        { err: error, characters: text.length },
        "a text could not be rendered and is shown as plain text",
      );
      return toPlainParagraphs(text);
    } finally {
      thread.unref();
      if (worker) idle = setTimeout(() => void end(), IDLE).unref();
    }
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    await ending?.terminate();
  }

  const render: Markdown["render"] = async (text, owner, pictures = {}, share = owner) => {
    if (owners.has(owner)) return null;
    if (tooSlow.has(owner)) return toPlainParagraphs(text);
    owners.add(owner);
    try {
      return await limitRendering(() => renderInThread({ text, pictures }, owner), share);
    } catch {
      return null;
    } finally {
      owners.delete(owner);
    }
  };
  return { render, countFailures: () => failures, end };
}

function openThread(file: string): Worker {
  const thread = new Worker(file, { resourceLimits: MEMORY });
  // A late error must not end the process.
  return thread.on("error", () => undefined);
}

function replyOf(thread: Worker, task: RenderTask, deadline: number): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => settle(reject, new Error(`no result after ${deadline} ms`)), deadline);
    const onMessage = (html: string) => settle(resolve, html);
    const onError = (error: Error) => settle(reject, error);
    const onExit = (code: number) => settle(reject, new Error(`the thread ended with ${code}`));
    function settle<T>(call: (value: T) => void, value: T): void {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      call(value);
    }
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
    thread.postMessage(task);
  });
}
