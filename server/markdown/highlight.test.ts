import { describe, expect, test } from "vitest";
import { isAllowed } from "../testing/markdown/allowed-html.ts";
import { renderMarkdown } from "./render.ts";

const render = (language: string, code: string) => renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``);
const codeOf = (html: string) => html.replace(/<[^>]+>/g, "");

describe("code", () => {
  test.each([
    [
      "js",
      'const a = 1; // "one"',
      '<span class="token-keyword">const</span> a = <span class="token-number">1</span>; <span class="token-comment">// "one"</span>',
    ],
    [
      "ts",
      "`a ${b(2)} c`",
      '<span class="token-string">`a </span>${<span class="token-name">b</span>(<span class="token-number">2</span>)}<span class="token-string"> c`</span>',
    ],
    ["HTML", "<b>", '<span class="token-name">&#x3C;b></span>'],
    ["c++", "1;", '<span class="token-number">1</span>;'],
    ["c#", "1;", '<span class="token-number">1</span>;'],
    ["docker", "# FROM", '<span class="token-comment"># FROM</span>'],
  ])("in %s has its tokens marked", (language, code, expected) => {
    const html = render(language, code);
    expect(html).toContain(`>${expected}\n</code></pre>`);
    expect(isAllowed(html)).toEqual([]);
  });

  test.each(["tsx", "py", "sh", "sql", "yaml", "graphql", "rust", "go", "json"])(
    "in %s is known",
    (language) => {
      expect(render(language, '"a" 1 # // SELECT fn')).toContain('<span class="token-');
    },
  );

  test.each(["", "nonsense", "__proto__", "constructor", "tostring", "extend", "plain"])(
    "in %j stays as it is",
    (language) => {
      const html = render(language, "const a = 1 < 2;");
      expect(html).not.toContain("<span");
      expect(codeOf(html)).toBe("const a = 1 &#x3C; 2;\n");
    },
  );

  test("is the same text with its tokens as without them", () => {
    const code =
      "<a href='b'>&amp;</a>\n\n\tif (a < b && c) { return `x${`y${z}`}`; } /* </code></pre> */\n+a\n-b";
    for (const language of ["js", "html", "php", "md", "css", "sql", "diff", "jsx"])
      expect(codeOf(render(language, code)), language).toBe(codeOf(render("", code)));
  });

  test("that has too many tokens stays plain", () => {
    const html = render("json", "1 2 3 4\n".repeat(4_000)).slice(0, 200);
    expect(html).toMatch(/^<pre tabindex="0"><code class="language-json">1 2 3 4\n/);
  });
});

// Each would take its grammar many seconds or minutes.
test.each([
  ["less", "0x"],
  ["js", "a"],
  ["scss", "a"],
  ["ts", "$"],
])("hostile code in %s stays plain after a second at most", (language, unit) => {
  const code = unit.repeat(49_000 / unit.length);
  const began = performance.now();
  const html = render(language, code);
  expect(performance.now() - began).toBeLessThan(4_000);
  expect(html.startsWith(`<pre tabindex="0"><code class="language-${language}">${code}\n</code></pre>`)).toBe(
    true,
  );
  expect(render("js", "1")).toContain('<span class="token-number">1</span>');
});
