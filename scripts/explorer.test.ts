import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const contentsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")]),
  );

test(
  "the committed explorer equals a build of its source (otherwise: npm run explorer)",
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "blog-explorer-"));
    try {
      execFileSync(process.execPath, ["scripts/explorer.mjs", folder]);
      const [built, committed] = [contentsOf(folder), contentsOf("client/explorer/built")];
      expect(Object.keys(committed).sort()).toEqual(Object.keys(built).sort());
      for (const [name, content] of Object.entries(built))
        expect(committed[name] === content, name).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
