// `npm run quality`: prints metrics of the code's structure and size with goals and limits; fails above a limit.
// A limit above its goal is the value at the time of writing: it may only be lowered. More packages than their goals came
// with code in colours, comparisons and pasted pages (to serve), and with the API clients, linters and bucket server of the tests
// and the SDKs for buckets and traces, which are installed where settings ask for them (for development). Spectral alone, which
// found parameters without a description that Redocly accepts, is 114 packages of the lockfile.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { diskUsage } from "./disk-usage.mjs";
import { prepare } from "./prepare.mjs";

await prepare({ tools: true });
const { measureCode } = await import("./quality/code.mjs");
const code = measureCode();
const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const build = JSON.parse(readFileSync("scripts/package.json", "utf8")).dependencies;
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const countOf = (record) => Object.keys(record).length;

/** Name, value, goal, limit, and optionally the offending places. */
const rows = [
  ["packages that serve", countOf(dependencies), 50, 52],
  ["packages that build", countOf(build), 10, 10],
  // The last one finds regular expressions of super-linear time: a review had found three by hand.
  ["packages for development", countOf(devDependencies), 40, 56],
  ["all packages in the lockfile", countOf(packages) - 1, 1_350, 1_678],
  ["unused files, exports and packages", ...unused()],
  ["files with SQL outside server/data and server/cli", code.sqlFiles.length, 0, 0, code.sqlFiles],
  ["circles between folders of the server", code.circles.length, 0, 0, code.circles],
  ["folders with more than 20 files", code.folders.length, 0, 2, code.folders],
  ["files in the largest folder", code.largestFolder, 30, 30],
  ["functions over 60 lines (components 80)", code.longFunctions.length, 0, 0, code.longFunctions],
  ["functions with more than 4 parameters", code.manyParameters.length, 0, 0, code.manyParameters],
  ["comments, per mille of lines", code.commentsPerMille, 80, 80],
  ["server files that name likeCount", code.likeCountFiles.length, 4, 4, code.likeCountFiles],
  ["exported names with two meanings", code.doubleNames.length, 0, 0, code.doubleNames],
  ["MB installed by npm start", megabytesInstalled(), 450, 450],
  ["MB of the folder made by npm run release", megabytesReleased(), 180, 180],
];

let failed = 0;
for (const [name, value, goal, limit, locations = []] of rows) {
  const state = value > limit ? "OVER ITS LIMIT" : value > goal ? "over its goal" : "ok";
  if (value > limit) failed++;
  console.log(`${name.padEnd(52)}${String(value).padStart(6)}  goal ${goal}, limit ${limit}: ${state}`);
  if (value > goal) for (const location of locations) console.log(`    ${location}`);
}
process.exit(failed === 0 ? 0 : 1);

function unused() {
  const { stdout } = spawnSync(process.execPath, ["node_modules/knip/bin/knip.js", "--no-progress"], {
    encoding: "utf8",
  });
  const lines = stdout.split("\n").filter((line) => line.trim() && !/^[A-Z][a-z ]+\(\d+\)$/.test(line));
  return [lines.length, 0, 0, lines];
}

function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "blog-quality-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytesInstalled() {
  return inTemporaryFolder((folder) => {
    for (const file of ["package.json", "package-lock.json", ".npmrc", "scripts"])
      cpSync(file, join(folder, file), { recursive: true });
    const install = "import('./scripts/prepare.mjs').then(({ prepare }) => prepare({ upTo: 'install' }))";
    execFileSync(process.execPath, ["-e", install], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    return diskUsage(join(folder, "node_modules"));
  });
}

function megabytesReleased() {
  return inTemporaryFolder((folder) => {
    const target = join(folder, "release");
    execFileSync(process.execPath, [resolve(dirname(process.argv[1]), "release.mjs"), target], {
      stdio: "ignore",
    });
    return diskUsage(target);
  });
}
