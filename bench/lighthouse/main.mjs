// `npm start -- [URL] [runs] [pages]` in this folder: Lighthouse scores of the reading pages, on a phone and on a desktop.
// Needs a running blog with its demo content. Prints the worst of the runs.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import lighthouse, { desktopConfig } from "lighthouse";

// The Chromium of the journeys in e2e.
const require = createRequire(new URL("../../package.json", import.meta.url));
const { default: sparticuz } = await import(require.resolve("@sparticuz/chromium"));
const { chromium } = require("playwright-core");

const base = process.argv[2] ?? "http://localhost:4000";
const runs = Number(process.argv[3] ?? 3);
const only = process.argv[4]?.split(",");
const port = 9_300 + (process.pid % 600);
const system = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const [post] = await (await fetch(`${base}/api/posts?pageNumber=1`)).json();
const pages = {
  Home: "/",
  Posts: "/posts",
  Details: `/posts/details/${post._id}`,
  Profile: `/profile/${post.user._id}`,
  // Search engines must not list it, which costs it points of SEO.
  Search: "/search?q=bread",
};
const devices = { mobile: undefined, desktop: desktopConfig };

const measure = async (path, config) => {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    `--remote-debugging-port=${port}`,
  ];
  const executablePath = system ?? (await sparticuz.executablePath());
  // A new browser for each run, with an empty cache.
  const browser = await chromium.launch({ executablePath, args });
  try {
    const { lhr } = await lighthouse(base + path, { port, logLevel: "error" }, config);
    if (lhr.runtimeError?.code !== "NO_NAVSTART") return lhr;
  } finally {
    await browser.close();
  }
  // Lighthouse failed to record the page, and asks for another run.
  return measure(path, config);
};

const kilobytes = (lhr) =>
  lhr.audits["network-requests"].details.items
    .filter(({ resourceType }) => resourceType === "Script")
    .reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_000;

const score = (lhr, category) => Math.round(lhr.categories[category].score * 100);
const value = (lhr, audit) => lhr.audits[audit].numericValue;

const row = (page, device, results) => {
  const lowest = (read) => Math.min(...results.map(read));
  const highest = (read, digits) => Number(Math.max(...results.map(read)).toFixed(digits));
  return {
    page,
    device,
    performance: lowest((lhr) => score(lhr, "performance")),
    accessibility: lowest((lhr) => score(lhr, "accessibility")),
    "best practices": lowest((lhr) => score(lhr, "best-practices")),
    SEO: lowest((lhr) => score(lhr, "seo")),
    "LCP ms": highest((lhr) => value(lhr, "largest-contentful-paint"), 0),
    CLS: highest((lhr) => value(lhr, "cumulative-layout-shift"), 3),
    "TBT ms": highest((lhr) => value(lhr, "total-blocking-time"), 0),
    "JS kB": highest(kilobytes, 1),
  };
};

/** The failed audits. */
const shortcomings = (lhr) =>
  Object.values(lhr.categories).flatMap(({ id, auditRefs }) =>
    auditRefs
      .filter((ref) => ref.weight > 0 && (lhr.audits[ref.id].score ?? 1) < 0.9)
      .map((ref) => `${id}: ${lhr.audits[ref.id].title} ${lhr.audits[ref.id].displayValue ?? ""}`),
  );

const rows = [];
const found = new Map();
// The first start of a browser is slower, since it is read from the disk.
await measure("/", desktopConfig);
for (const [page, path] of Object.entries(pages).filter(([name]) => only?.includes(name) ?? true))
  for (const [device, config] of Object.entries(devices)) {
    const results = [];
    for (let run = 0; run < runs; run++) results.push(await measure(path, config));
    rows.push(row(page, device, results));
    found.set(`${page}, ${device}`, [...new Set(results.flatMap(shortcomings))]);
  }
console.table(rows);
for (const [where, lines] of found) for (const line of lines) console.log(`${where}: ${line}`);
console.log(`The lowest of ${runs} runs each; load average ${loadavg()[0].toFixed(1)}.`);
