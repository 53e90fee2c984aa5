// A process of `npm run dev`: loads the packages and files that its arguments name, and the server when its parent names a build.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// As server/harden.ts, before any package.
delete Object.prototype.__proto__;
const named = new Promise((resolve) => process.once("message", resolve));
const leave = () => process.exit();
process.once("disconnect", leave);
// What cannot be loaded fails with the code that imports it.
await Promise.allSettled(process.argv.slice(2).map((name) => import(name)));
const { buildFolder } = await named;
process.off("disconnect", leave);
process.disconnect();
process.env.BUILD_DIR = buildFolder;
await import(pathToFileURL(join(buildFolder, "server/main.js")).href);
