// Where builds go: each to a folder of its own below .cache/builds, and `dist` is a link to the one that was finished
// last. A server that is running keeps the folder it was started from, so a later build changes nothing for it.
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
/** Milliseconds that a build stays after a later one has replaced it. */
const KEPT_FOR = 24 * 60 * 60 * 1_000;

/**
 * Makes a build in a new folder and moves the link `dist` there once it is complete.
 * @param {string} stamp names the folder: the hash of what the build was made from
 * @param {(folder: string) => Promise<void>} make writes the build into a folder, given by its absolute path
 */
export async function publishBuild(stamp, make) {
  const made = join(folder, stamp.slice(0, 16));
  if (!existsSync(made)) {
    const partial = join(process.cwd(), `${made}.partial`);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    await make(partial);
    addExplorer(partial);
    renameSync(partial, made);
  }
  const earlier = existsSync(link) ? realpathSync(link) : null;
  pointTo(made);
  if (earlier && existsSync(earlier)) utimesSync(earlier, new Date(), new Date());
  removeOldBuilds();
}

/** Copies the GraphQL explorer into a build. */
export function addExplorer(build) {
  cpSync("client/explorer/built", join(build, "explorer"), { recursive: true });
  precompress(join(build, "explorer"));
}

/** Notes that this process serves from the present build, which then stays until the process has ended. */
export function holdBuild() {
  const holders = join(realpathSync(link), "held-by");
  mkdirSync(holders, { recursive: true });
  writeFileSync(join(holders, String(process.pid)), "");
}

/** A rename replaces the link at once: nobody ever finds none. */
function pointTo(made) {
  // Releases before this one built into a folder of that name.
  if (existsSync(link) && !lstatSync(link).isSymbolicLink()) rmSync(link, { recursive: true });
  rmSync(`${link}.new`, { force: true });
  symlinkSync(relative(dirname(link), made), `${link}.new`, "junction");
  renameSync(`${link}.new`, link);
}

function removeOldBuilds() {
  const present = realpathSync(link);
  for (const name of readdirSync(folder)) {
    const path = realpathSync(join(folder, name));
    const isOld = Date.now() - statSync(path).mtimeMs > KEPT_FOR;
    if (path !== present && isOld && !isHeld(path)) rmSync(path, { recursive: true, force: true });
  }
}

function isHeld(path) {
  const holders = join(path, "held-by");
  return existsSync(holders) && readdirSync(holders).some((pid) => isAlive(Number(pid)));
}

/**
 * Runs something while no other process that asks for the same lock does; waits for the other.
 * @param {string} file holds the number of the process that has the lock
 * @param {(line: string) => void} say is told once that another process is waited for
 */
export async function withLock(file, say, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waits = false; !take(file); waits = true) {
    if (!waits) say("waiting for another process that prepares this folder …");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // Its holder may have been killed; one that has only just made the file has not written its number yet.
  const pid = Number(readIfThere(file));
  if (pid && !isAlive(pid)) rmSync(file, { force: true });
  return false;
}

function readIfThere(file) {
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
