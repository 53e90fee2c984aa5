const browsers: [string, RegExp][] = [
  ["Edge", /Edg(?:e|A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
];

const systems: [string, RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
];

/** @returns the known browser and system of a User-Agent header, for instance `Firefox on Linux`, and nothing else of it */
export function browserName(userAgent: string | null): string | null {
  const nameIn = (list: [string, RegExp][]) => list.find(([, pattern]) => pattern.test(userAgent ?? ""))?.[0];
  const names = [nameIn(browsers), nameIn(systems)].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(" on ") : null;
}
