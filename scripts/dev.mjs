// `npm run dev`: builds again on every change and starts the server anew.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { prepare } from "./prepare.mjs";

let server = null;
let wanted = false;
let busy = false;

async function rebuild() {
  if (busy) return void (wanted = true);
  busy = true;
  try {
    await prepare();
    await stop();
    server = spawn(process.execPath, ["scripts/start.mjs"], {
      stdio: "inherit",
      env: { NODE_ENV: "development", ...process.env },
    });
  } catch (error) {
    console.error(error.message);
  }
  busy = false;
  if (wanted) {
    wanted = false;
    await rebuild();
  }
}

function stop() {
  const running = server;
  if (!running || running.exitCode !== null || running.signalCode !== null) return undefined;
  return new Promise((resolve) => {
    running.once("exit", resolve);
    running.kill("SIGTERM");
  });
}

let timer;
const later = () => {
  clearTimeout(timer);
  timer = setTimeout(() => void rebuild(), 150);
};

await rebuild();
for (const folder of ["server", "client", "prisma"])
  watch(folder, { recursive: true }, (_event, file) => {
    if (!String(file).includes("generated") && !/\.test\.tsx?$/.test(String(file))) later();
  });
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => void Promise.resolve(stop()).then(() => process.exit(0)));
