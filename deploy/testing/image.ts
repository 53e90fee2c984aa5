import { execFile } from "node:child_process";
import { cp, mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs the first stage of the Dockerfile in a folder, without Docker. @returns the folder that the second stage copies */
export async function buildReleaseStage(root: string): Promise<string> {
  const [context, app, release] = ["context", "app", "release"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await copyContext(context);
  const text = (await readFile("Dockerfile", "utf8")).replace(/^#.*\n/gm, "").replaceAll("\\\n", "");
  const [, stage = ""] = text.split(/^FROM .*\n/m);
  for (const line of stage.split("\n").filter(Boolean)) {
    const [, instruction, rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === "WORKDIR") await mkdir(app);
    else if (instruction === "COPY") await copyInto(app, context, rest.split(" "));
    else if (instruction === "RUN") {
      const { PATH = "", HOME = "" } = process.env;
      await run("sh", ["-ec", rest.replace("/release", release)], { cwd: app, env: { PATH, HOME } });
    } else if (instruction !== "ARG") throw new Error(`The Dockerfile has an unknown instruction: ${line}`);
  }
  return release;
}

async function copyInto(app: string, context: string, paths: string[]): Promise<void> {
  const target = join(app, paths.pop() ?? "");
  for (const path of paths) {
    const to = path === "." ? target : join(target, basename(path));
    await cp(join(context, path), to, { recursive: true });
  }
}

/** The committed files that .dockerignore lets through. */
async function copyContext(folder: string): Promise<void> {
  const ignored = (await readFile(".dockerignore", "utf8")).split("\n").filter((line) => /^\w/.test(line));
  const { stdout } = await run("git", ["ls-files"], { maxBuffer: 1e7 });
  for (const file of stdout.trim().split("\n")) {
    if (ignored.includes(file.split("/")[0] ?? "")) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(file, join(folder, file));
  }
}
