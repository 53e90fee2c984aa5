import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Chunk = {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
  dynamicImports?: string[];
};

export type PageAssets = {
  script: string;
  /** The CSS of the page, inlined and allowed by its hash, so that no style sheet delays the first paint. */
  sheet: string;
  /** The files of the part that not all pages share, which the page does not load again. */
  styles: string[];
  /** The file of the CSS that no first paint needs; null in development. */
  deferred: string | null;
  fonts: string[];
  preloads: string[];
};

export type Assets = {
  /** The CSS that all pages share. */
  sheet: string;
  /** The script of the service worker; null without offline reading. */
  worker: string | null;
  of: (pageModule: string) => PageAssets;
};

type Options = { offlineReading?: boolean };

const ENTRY = "client/app/entry-client.tsx";
const DEFERRED = "client/app/boot/deferred-css.ts";
export const WORKER = "service-worker.js";
const FACE = "client/generated/fonts/newsreader.woff2";

/** Reads the build manifest of the client: hashed file names by source file. */
export function readAssets(folder: string, { offlineReading = true }: Options): Assets {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<string, Chunk>;
  const entry = manifest[ENTRY];
  const deferred = manifest[DEFERRED];
  if (!entry) throw new Error("dist/client is incomplete: run npm start, which builds it");
  const address = (file: string) => `/${file}`;
  const first = collect(manifest, ENTRY);
  const shared = first.flatMap(({ css = [] }) => css);
  const read = (files: string[]) =>
    files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("");
  const sheet = read(shared);
  // Every page uses the upright text face: preloading it avoids a visible font swap.
  const fonts = [manifest[FACE]].flatMap((chunk) => (chunk ? [address(chunk.file)] : []));
  const assetsOf = (pageModule: string): PageAssets => {
    const chunks = [...new Set([...first, ...collect(manifest, pageModule)])];
    const own = chunks.flatMap(({ css = [] }) => css).filter((file) => !shared.includes(file));
    const preloads = chunks.filter((chunk) => chunk !== entry).map(({ file }) => address(file));
    return {
      ...{ script: address(entry.file), fonts, deferred: deferred ? address(deferred.file) : null, preloads },
      sheet: sheet + read(own),
      styles: own.map(address),
    };
  };
  const found = new Map<string, PageAssets>();
  const of = (pageModule: string) => {
    const assets = found.get(pageModule) ?? assetsOf(pageModule);
    found.set(pageModule, assets);
    return assets;
  };
  return { sheet, worker: offlineReading ? readWorker(folder) : null, of };
}

function readWorker(folder: string): string | null {
  const file = join(folder, WORKER);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** A chunk and its static imports, transitively. */
function collect(manifest: Record<string, Chunk>, name: string, found = new Set<Chunk>()): Chunk[] {
  const chunk = manifest[name];
  if (!chunk || found.has(chunk)) return [];
  found.add(chunk);
  for (const each of chunk.imports ?? []) collect(manifest, each, found);
  return [...found];
}
