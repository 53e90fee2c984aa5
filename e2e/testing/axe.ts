import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Options = {
  /** A selector. */
  within?: string;
  /** Rules to run instead of the usual ones. */
  rules?: string[];
  /** Rules to run that are off by default. */
  also?: string[];
};

export async function violationsOn(
  page: Page,
  { within, rules, also = [] }: Options = {},
): Promise<string[]> {
  // Running animations would give wrong contrasts. One that follows the scroll position never ends.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ timeline }) => timeline === document.timeline)
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
  const hasAxe = await page.evaluate(() => "axe" in window);
  if (!hasAxe) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([context, runOnly, more]) =>
      (window as any).axe.run(context ?? document, {
        resultTypes: ["violations"],
        rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])),
        ...(runOnly && { runOnly }),
      }),
    [within, rules, also] as const,
  );
  return violations.map(
    ({ id, nodes }: any) => `${id}: ${nodes.map((each: any) => each.target.join(" ")).join(", ")}`,
  );
}
