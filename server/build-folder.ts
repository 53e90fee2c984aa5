import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** Resolved once at startup: `dist` is a symbolic link that later builds move, and a running server continues to use its files. */
export const findBuilt = (path: string) => realpathSync(resolve(path));
