// `npm run blog -- COMMAND`: the command line, built first where it is stale.
import { prepare } from "./prepare.mjs";

try {
  await prepare();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.env.NODE_ENV ??= "production";
await import("../dist/server/blog.js");
