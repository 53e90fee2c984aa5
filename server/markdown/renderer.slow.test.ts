import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { afterFile } from "../testing/cleanup.ts";
import { isAllowed } from "../testing/markdown/allowed-html.ts";
import { randomHostile } from "../testing/markdown/generate.ts";
import { hostileTexts } from "../testing/markdown/hostile.ts";
import { openMarkdown } from "./renderer.ts";

const workerFile = resolve("dist/server/markdown-worker.js");
const warn = vi.fn();

function open(deadline?: number) {
  const { markdown, close } = openMarkdown({ workerFile, log: { warn }, deadline });
  afterFile(close);
  return markdown;
}

test("a text that takes too long stays plain and is logged, and the next one is rendered", async () => {
  const markdown = open(1);
  const text = "*a* ".repeat(10_000);
  expect(await markdown.render(text, "maya")).toMatch(/^<p dir="auto">\*a\* /);
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ characters: text.length }),
    "a text could not be rendered and is shown as plain text",
  );
  expect(await open().render("*a*", "maya")).toBe('<p dir="auto"><em>a</em></p>');
});

test("a thread that cannot start leaves the text plain", async () => {
  const { markdown, close } = openMarkdown({ workerFile: "/nowhere.js", log: { warn } });
  afterFile(close);
  expect(await markdown.render("*a*", "maya")).toBe('<p dir="auto">*a*</p>');
});

// All named attacks and built texts, but a tenth of the repeated units, unless MARKDOWN_ALL is set.
const isAll = process.env["MARKDOWN_ALL"] !== undefined;
const chosen = hostileTexts.filter(
  ({ name }, index) => isAll || !name.endsWith("repeated") || index % 10 === 0,
);
const seeds = Array.from({ length: Number(process.env["MARKDOWN_HOSTILE"] ?? 10) }, (_, seed) => ({
  name: `seed ${seed}`,
  text: randomHostile(seed),
}));

const STATISTICS = "/proc/thread-self/schedstat";

/**
 * Milliseconds for which the main thread has run: the event loop is held no longer. On Linux without the time for which
 * it waited for a processor that other programs used.
 */
const timeOfMainThread = (): number =>
  existsSync(STATISTICS)
    ? Number(readFileSync(STATISTICS, "utf8").split(" ")[0]) / 1e6
    : performance.eventLoopUtilization().active;
let longest = 0;

describe("C2: a hostile text of full length", () => {
  let markdown: ReturnType<typeof open>;
  beforeAll(async () => {
    markdown = open();
    await markdown.render("warm", "maya");
  });
  afterAll(() => console.info(`the event loop was held for ${longest.toFixed(1)} ms at most`));

  // The deadline of 5 s, with time for a thread to restart on a busy machine.
  test.each([...chosen, ...seeds])("$name", { timeout: 70_000 }, async ({ text }) => {
    const { html, held } = await renderTimed(text);
    // A garbage collection of the test files that share this process can fall into one attempt; rendering is in all.
    const again = held < 50 ? [] : [await renderTimed(text), await renderTimed(text)];
    const least = Math.min(held, ...again.map((attempt) => attempt.held));
    longest = Math.max(longest, least);
    expect(least).toBeLessThan(50);
    expect(isAllowed(html)).toEqual([]);
  });

  async function renderTimed(text: string) {
    const began = performance.now();
    let [held, last] = [0, timeOfMainThread()];
    const sampleIteration = () => {
      const now = timeOfMainThread();
      [held, last] = [Math.max(held, now - last), now];
    };
    const sampling = setInterval(sampleIteration, 2);
    const html = (await markdown.render(text, "maya")) ?? "";
    clearInterval(sampling);
    sampleIteration();
    expect(performance.now() - began).toBeLessThan(20_000);
    return { html, held };
  }
});
