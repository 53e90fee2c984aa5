// `node scripts/enumeration.mjs`: tests whether response times reveal registered email addresses. Compares medians of
// interleaved requests with known and unknown addresses; exits with 1 if they differ too much.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./prepare.mjs";

const TRIES = 30;
const PORT = 4655;
const KNOWN = "known@example.com";
const PASSWORD = "correct horse battery";
const allowed = (a, b) => Math.max(20, 0.35 * Math.max(a, b));

await prepare({ tools: true });
const dataDir = mkdtempSync(join(tmpdir(), "blog-enumeration-"));
const env = {
  DATA_DIR: dataDir,
  DEMO: "off",
  RATE_LIMITS: "off",
  LOG_LEVEL: "silent",
  NODE_ENV: "production",
};
const server = spawn(process.execPath, ["dist/server/main.js"], {
  env: { ...process.env, ...env, PORT, ADMIN_EMAIL: KNOWN, ADMIN_PASSWORD: PASSWORD },
  stdio: ["ignore", "pipe", "inherit"],
});
await new Promise((resolve, reject) => {
  server.stdout.on("data", (chunk) => String(chunk).includes("listening") && resolve());
  server.on("exit", () => reject(new Error("the blog did not start")));
});

let count = 0;
const unknown = () => `unknown${++count}@example.com`;
const calls = {
  login: (email) => ["/api/auth/login", { email, password: "not the password" }],
  reset: (email) => ["/api/password/reset-password-link", { email }],
  register: (email) => ["/api/auth/register", { username: `Person ${++count}`, email, password: PASSWORD }],
};

async function time([path, body]) {
  const start = performance.now();
  const response = await fetch(`http://localhost:${PORT}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.text();
  return { milliseconds: performance.now() - start, status: response.status };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
let fine = true;
for (const [name, call] of Object.entries(calls)) {
  const existing = [];
  const others = [];
  await time(call(unknown()));
  for (let round = 0; round < TRIES; round++) {
    existing.push(await time(call(KNOWN)));
    others.push(await time(call(unknown())));
  }
  const [a, b] = [existing, others].map((list) => median(list.map((each) => each.milliseconds)));
  const isClose = Math.abs(a - b) <= allowed(a, b) && existing[0].status === others[0].status;
  fine &&= isClose;
  const figures = `existing ${a.toFixed(1)} ms, unknown ${b.toFixed(1)} ms, apart ${Math.abs(a - b).toFixed(1)} ms`;
  console.log(
    `${name.padEnd(9)} ${figures} (allowed ${allowed(a, b).toFixed(1)}): ${isClose ? "alike" : "TOO FAR APART"}`,
  );
}
server.removeAllListeners("exit");
server.kill("SIGTERM");
await new Promise((resolve) => server.once("exit", resolve));
rmSync(dataDir, { recursive: true, force: true });
process.exit(fine ? 0 : 1);
