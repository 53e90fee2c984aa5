// Profiles the process between two signals SIGUSR2, for `npm run bench -- profile`.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { isMainThread } from "node:worker_threads";

let session;

async function toggle() {
  if (session) {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    session = undefined;
    writeFileSync(`${process.env.PROFILES}/${process.pid}.json`, JSON.stringify(profile));
    return;
  }
  session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
}

if (isMainThread) process.on("SIGUSR2", toggle);
