import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

// The server's build contains some packages (vite.config.ts). What they import from outside of the build is found at the top
// of node_modules, which may be another version than they need.

const BUILD = "dist/server";
const read = (ending: string) =>
  readdirSync(BUILD, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(BUILD, file), "utf8"));

/** Folders such as `node_modules/zod`. */
const inside = new Set<string>();
const outside = new Set<string>();
beforeAll(() => {
  for (const text of read(".js.map"))
    for (const source of (JSON.parse(text) as { sources: string[] }).sources) {
      const [folder] =
        /node_modules\/.*node_modules\/(@[^/]+\/)?[^/]+|node_modules\/(@[^/]+\/)?[^/]+/.exec(source) ?? [];
      if (folder) inside.add(folder);
    }
  for (const text of read(".js"))
    for (const [, name = ""] of text.matchAll(/\bfrom ?"((?:@[^/"]+\/)?[^./"][^/"]*)[^"]*"/g))
      outside.add(name);
});

function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  return names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((own) => `${name}/${own}`) : [name],
  );
}

test("packages in the build import no other version of a package than they need", () => {
  expect([...inside]).toContain("node_modules/@apollo/client");
  expect([...outside]).toContain("graphql");
  const wrong = [...inside].flatMap((folder) =>
    packagesIn(join(folder, "node_modules"))
      .filter((name) => outside.has(name))
      .map((name) => `${folder} needs a ${name} of its own`),
  );
  expect(wrong).toEqual([]);
});
