import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

type Frame = { functionName: string; url: string; lineNumber: number; columnNumber: number };

/** Layers by the beginning of a source; the first that fits. */
const layers: [RegExp, string][] = [
  [/^node:(_http|internal\/http|internal\/url)/, "HTTP of Node"],
  [/^node:(net|stream|internal\/(stream|js_stream|net))/, "sockets and streams of Node"],
  [
    /^node:(internal\/(timers|process|async_hooks|promise)|events|timers|diagnostics)/,
    "events and timers of Node",
  ],
  [/^node:(buffer|internal\/(buffer|util|crypto)|crypto|string_decoder)/, "buffers and hashes of Node"],
  [/^node:/, "others of Node"],
  [/node_modules\/(fastify|find-my-way|avvio|@fastify|fast-json|reusify)/, "fastify"],
  [
    /node_modules\/(graphql-jit|graphql|type-graphql|dataloader|@apollo|@graphql|generate-function)/,
    "graphql",
  ],
  [/node_modules\/pg|^\.\.\/src\/parser/, "pg"],
  [/node_modules\/(pino|sonic-boom|thread-stream|safe-stable)/, "log"],
  [/node_modules\/lru-cache/, "server/cache"],
];

const maps = new Map<string, SourceMap | null>();

function mapOf(url: string): SourceMap | null {
  const stored = maps.get(url);
  if (stored !== undefined) return stored;
  let map: SourceMap | null = null;
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")));
  } catch {}
  maps.set(url, map);
  return map;
}

/** The file of the source code, whatever file the build has put it into. */
export function sourceOf({ url, lineNumber, columnNumber }: Frame): string {
  if (!url.startsWith("file:")) return url;
  const entry = mapOf(url)?.findEntry(lineNumber, columnNumber);
  return entry && "originalSource" in entry ? entry.originalSource : url;
}

/** @returns the layer of a function's own time; null while the process waits */
export function layerOf(frame: Frame): string | null {
  const { functionName, url } = frame;
  if (functionName === "(idle)") return null;
  if (functionName === "(garbage collector)") return "garbage collection";
  if (functionName === "(program)") return "native code: parser, event loop, system calls";
  if (url === "")
    return /^(write|read|shutdown)/.test(functionName) ? "writing to sockets" : "native functions";
  const source = sourceOf(frame);
  const known = layers.find(([pattern]) => pattern.test(source));
  if (known) return known[1];
  const [, ours] = /(server\/[a-z]+)/.exec(source.replace(/.*\/dist\/server/, "")) ?? [];
  if (ours) return ours;
  return /bench\//.test(source)
    ? "the limit's own code"
    : source.replace(/.*node_modules\//, "").slice(0, 60);
}
