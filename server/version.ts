import { version } from "../package.json";

/** `npm version` updates package.json and tags the commit. */
export const VERSION: string = version;
