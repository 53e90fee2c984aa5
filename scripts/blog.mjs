// `npm run blog -- COMMAND`: the command line of the build that is there, which a server may be running from. Only a
// folder without any build is prepared first; the commands that write files of the repository build the present code.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare, prepareCodeWriter } from "./prepare.mjs";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const writesCode = ["schema", "write-migration"].includes(process.argv[2]);
try {
  // The client is checked against schema.graphql: writing that file must not wait for the client to fit it.
  if (writesCode) await prepareCodeWriter();
  else if (!existsSync("dist/server/blog.js")) await prepare();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.env.NODE_ENV ??= "production";
await import(writesCode ? "../.cache/commands/blog.js" : "../dist/server/blog.js");
