// `npm start`: prepares the clone, then becomes the server: one process, so that signals reach it.
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
