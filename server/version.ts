import { version } from "../package.json";

/** `npm version` updates package.json and tags the commit. */
export const VERSION: string = version;

/** By major version the first minor and patch version without CVE-2026-21717: one visitor's JSON occupies the event loop. */
const patched = new Map([
  [20, [20, 2]],
  [22, [22, 2]],
  [24, [14, 1]],
  [25, [8, 2]],
]);

export function adviceOnNode(node: string = process.versions.node): string | null {
  const [major = 0, minor = 0, patch = 0] = node.split(".").map(Number);
  const [first = 0, fix = 0] = patched.get(major) ?? [major > 25 ? 0 : Infinity];
  if (minor > first || (minor === first && patch >= fix)) return null;
  return `Node.js ${node} lets one visitor slow down all others (CVE-2026-21717): update it to 24.14.1 or 22.22.2, or newer`;
}
