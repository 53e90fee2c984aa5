// `npm run blog -- COMMAND`: runs the command line of the existing build, which a server may be using; without a build
// it makes one. Commands that write files of the repository always build the current code.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare, prepareCodeWriter } from "./prepare.mjs";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const writesCode = ["schema", "write-migration"].includes(process.argv[2]);
try {
  // A full build would fail if the client does not match the old schema.graphql, which the command rewrites.
  if (writesCode) await prepareCodeWriter();
  else if (!existsSync("dist/server/blog.js")) await prepare();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.env.NODE_ENV ??= "production";
await import(writesCode ? "../.cache/commands/blog.js" : "../dist/server/blog.js");
