// `npm start`: prepares the clone and then runs the server in this process, so that signals reach it.
import { holdBuild } from "./builds.mjs";
import { prepare } from "./prepare.mjs";

console.log("");
try {
  await prepare();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
holdBuild();
process.env.NODE_ENV ??= "production";
await import("../dist/server/main.js");
