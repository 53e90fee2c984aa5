import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Folders of each project in vitest.config.ts. */
const foldersOf: Record<string, string[]> = {
  server: ["server", "faults/testing"],
  client: ["client", "scripts", "rehearsal"],
  e2e: ["e2e"],
  deploy: ["deploy"],
  faults: ["faults"],
};
const testFilesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);
const testFilesOf = Object.fromEntries(
  Object.entries(foldersOf).map(([project, folders]) => [project, folders.flatMap(testFilesIn)]),
);
const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
const references = pages.flatMap((page) =>
  [...readFileSync(`docs/${page}`, "utf8").matchAll(/`(server|client|e2e|deploy|faults) ([\w/ .-]+)`/g)].map(
    ([, project = "", names = ""]) => ({ page, project, names: names.split(" ") }),
  ),
);

test("the tests that the documentation names exist", () => {
  const missing = references.flatMap(({ page, project, names }) =>
    names
      .filter((name) => !testFilesOf[project]?.some((file) => file.includes(name)))
      .map((name) => `${page}: ${project} ${name}`),
  );
  expect(references.length).toBeGreaterThan(300);
  expect(missing).toEqual([]);
});
