import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The folder that was built last: client, server and explorer. By its real path, read once at the start: `dist` is
 * a link that later builds move, and a running server keeps its own files.
 */
export const findBuildFolder = (folder: string) => realpathSync(resolve(folder));
