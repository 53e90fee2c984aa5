import { readFileSync } from "node:fs";
import { join } from "node:path";

type Chunk = {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
  dynamicImports?: string[];
};

export type PageAssets = { script: string; styles: string[]; fonts: string[]; preloads: string[] };

/** Reads what the client's build made: hashed names by source file. */
export function readAssets(folder: string): (pageModule: string) => PageAssets {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<string, Chunk>;
  const entry = manifest["client/app/entry-client.tsx"];
  if (!entry) throw new Error("dist/client has no entry: build it again");
  const files = Object.values(manifest).map((chunk) => chunk.file);
  const address = (file: string) => `/${file}`;
  const styles = files.filter((file) => file.endsWith(".css")).map(address);
  // The upright text face is on every page; asking for it early spares a visible swap.
  const fonts = files.filter((file) => /newsreader-latin-wght-normal.*\.woff2$/.test(file)).map(address);
  return (pageModule) => {
    const wanted = new Set<string>();
    collect(manifest, "client/app/entry-client.tsx", wanted);
    collect(manifest, pageModule, wanted);
    wanted.delete(entry.file);
    return { script: address(entry.file), styles, fonts, preloads: [...wanted].map(address) };
  };
}

function collect(manifest: Record<string, Chunk>, name: string, wanted: Set<string>): void {
  const chunk = manifest[name];
  if (!chunk || wanted.has(chunk.file)) return;
  wanted.add(chunk.file);
  for (const each of chunk.imports ?? []) collect(manifest, each, wanted);
}
