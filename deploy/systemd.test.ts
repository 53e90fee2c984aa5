import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("systemd accepts the unit", (context) => {
  if (!existsSync("/usr/bin/systemd-analyze")) context.skip("the package systemd is missing");
  const folder = mkdtempSync(join(tmpdir(), "blog-systemd-"));
  const unit = join(folder, "blog.service");
  writeFileSync(
    unit,
    readFileSync("deploy/systemd/blog.service", "utf8").replace("/usr/bin/node", process.execPath),
  );
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit]);
  rmSync(folder, { recursive: true });
  // It also warns of other units.
  const warnings = stderr.toString().split("\n");
  expect([status, warnings.filter((line) => line.includes("blog.service"))]).toEqual([0, []]);
});
