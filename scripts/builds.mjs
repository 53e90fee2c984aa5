// Each build has its own folder in .cache/builds; the link `dist` points to the latest one. A running server keeps its
// folder, so a later build does not change its files.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { precompress } from "./precompress.mjs";

const folder = ".cache/builds";
const link = "dist";
/** Milliseconds before a replaced build is deleted. */
const RETENTION_MS = 24 * 60 * 60 * 1_000;

/**
 * Makes a build in a new folder and then points the link `dist` to it.
 * @param {string} stamp the hash of the build's inputs, which names the folder
 * @param {(folder: string) => Promise<void>} make writes the build; receives an absolute path
 */
export async function publishBuild(stamp, make) {
  const made = join(folder, stamp.slice(0, 16));
  if (!existsSync(made)) {
    const partial = join(process.cwd(), `${made}.partial`);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    await make(partial);
    addExplorer(partial);
    precompress(join(partial, "explorer"));
    renameSync(partial, made);
  }
  const earlier = existsSync(link) ? realpathSync(link) : null;
  moveLink(made);
  if (earlier && existsSync(earlier)) utimesSync(earlier, new Date(), new Date());
  removeOldBuilds();
}

export function addExplorer(build) {
  cpSync("client/explorer/built", join(build, "explorer"), { recursive: true });
}

/** Marks the current build as used by this process, so that it is not deleted while the process runs. */
export function holdBuild() {
  const holders = join(realpathSync(link), "held-by");
  mkdirSync(holders, { recursive: true });
  writeFileSync(join(holders, String(process.pid)), "");
}

function moveLink(made) {
  // Older releases built into a folder of that name.
  if (existsSync(link) && !lstatSync(link).isSymbolicLink()) rmSync(link, { recursive: true });
  rmSync(`${link}.new`, { force: true });
  symlinkSync(relative(dirname(link), made), `${link}.new`, "junction");
  renameSync(`${link}.new`, link);
}

function removeOldBuilds() {
  const present = realpathSync(link);
  for (const name of readdirSync(folder)) {
    const path = realpathSync(join(folder, name));
    const isOld = Date.now() - statSync(path).mtimeMs > RETENTION_MS;
    if (path !== present && isOld && !isHeld(path)) rmSync(path, { recursive: true, force: true });
  }
}

function isHeld(path) {
  const holders = join(path, "held-by");
  return existsSync(holders) && readdirSync(holders).some((pid) => isAlive(Number(pid)));
}

/**
 * Runs `work` under a lock between processes; waits while another process holds it.
 * @param {string} file stores the holder's PID
 * @param {(line: string) => void} log receives a message when waiting starts
 */
export async function withLock(file, log, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waits = false; !tryAcquire(file); waits = true) {
    if (!waits) log("waiting for another process that prepares this folder …");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryAcquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // The holder may have been killed. An empty file is a lock whose holder has not written its PID yet.
  const pid = Number(readIfExists(file));
  if (pid && !isAlive(pid)) rmSync(file, { force: true });
  return false;
}

function readIfExists(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
