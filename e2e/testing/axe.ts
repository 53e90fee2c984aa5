import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Options = {
  /** A selector. */
  within?: string;
  /** Rules to run instead of the usual ones. */
  rules?: string[];
};

export async function violationsOn(page: Page, { within, rules }: Options = {}): Promise<string[]> {
  // Running animations would give wrong contrasts.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
  const hasAxe = await page.evaluate(() => "axe" in window);
  if (!hasAxe) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([context, runOnly]) =>
      (window as any).axe.run(context ?? document, {
        resultTypes: ["violations"],
        ...(runOnly && { runOnly }),
      }),
    [within, rules] as const,
  );
  return violations.map(
    ({ id, nodes }: any) => `${id}: ${nodes.map((each: any) => each.target.join(" ")).join(", ")}`,
  );
}
