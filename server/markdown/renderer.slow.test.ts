import { monitorEventLoopDelay } from "node:perf_hooks";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
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

describe("C2: a hostile text of full length", () => {
  let markdown: ReturnType<typeof open>;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  beforeAll(async () => {
    markdown = open();
    await markdown.render("warm", "maya");
    delay.enable();
  });

  // The deadline of 5 s, with time for a thread to restart on a busy machine.
  test.each([...chosen, ...seeds])("$name", { timeout: 50_000 }, async ({ text }) => {
    delay.reset();
    const began = performance.now();
    const html = (await markdown.render(text, "maya")) ?? "";
    expect(performance.now() - began).toBeLessThan(20_000);
    // 50 ms on an idle machine, times ten.
    expect(delay.max / 1e6).toBeLessThan(500);
    expect(isAllowed(html)).toEqual([]);
  });
});
