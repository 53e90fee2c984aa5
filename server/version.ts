import { version } from "../package.json";

/** The version of this release, from package.json; `npm version` changes it and tags the commit. */
export const VERSION: string = version;
