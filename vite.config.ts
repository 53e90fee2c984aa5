import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import {
  build,
  defaultClientConditions,
  defineConfig,
  type Plugin,
  type Rolldown,
  type UserConfig,
} from "vite";
import { precompress } from "./scripts/precompress.mjs";

type CodeSplittingGroup = Rolldown.CodeSplittingGroup;
type ChunkingContext = Rolldown.ChunkingContext;

// Two bundles: the browser's (dist/client), and Node's (dist/server) with the client's entry for server rendering.
// scripts/prepare.mjs sets the output folders.
export default defineConfig(({ isSsrBuild, mode }): UserConfig => ({
  plugins: [
    react(),
    ...(isSsrBuild
      ? [persistedDocuments(), queryCompilerAsFile(), asciiOnly()]
      : [layerOrder(), turndownWithoutTrial(), serviceWorker(), compressed()]),
  ],
  publicDir: "client/public",
  ...(isSsrBuild && { ssr: { noExternal: bundled } }),
  oxc: { decorator: { legacy: true } },
  ...(!isSsrBuild && {
    resolve: {
      // Selects RxJS's build with native classes.
      conditions: ["es2015", ...defaultClientConditions],
      // Its package.json names the build with warnings only.
      ...(mode === "production" && {
        alias: [
          {
            find: /^react-router$/,
            replacement: resolve("node_modules/react-router/dist/production/index.mjs"),
          },
        ],
      }),
    },
  }),
  build: isSsrBuild
    ? {
        target: "node20",
        sourcemap: true,
        copyPublicDir: false,
        rolldownOptions: {
          // Installed only where the settings ask for them (scripts/prepare.mjs).
          external: [/^@aws-sdk\//, /^@opentelemetry\//],
          input: {
            main: "server/main.ts",
            blog: "server/cli/blog.ts",
            "encoder-process": "server/media/encoder-process.ts",
            "markdown-worker": "server/markdown/worker.ts",
            "http-worker": "server/outgoing/http-worker.ts",
            "smtp-worker": "server/mail/smtp-worker.ts",
            "entry-server": "client/app/entry-server.tsx",
          },
        },
      }
    : {
        target: "es2022",
        // light-dark() needs browsers of 2024; transpiling it would double the CSS.
        cssTarget: ["chrome123", "firefox120", "safari17.5"],
        manifest: "manifest.json",
        // Pages list their preloads themselves: lists for lazy chunks would be code that every page loads.
        modulePreload: {
          resolveDependencies: (_file, needed, { hostId }) => (hostId.includes("entry-client") ? needed : []),
        },
        rolldownOptions: {
          input: { "entry-client": "client/app/entry-client.tsx" },
          output: {
            codeSplitting: { groups: [frame, reading, lists] },
            // Every page loads the names of all chunks.
            chunkFileNames: "assets/[hash:7].js",
            assetFileNames: "assets/[name]-[hash:6][extname]",
          },
        },
      },
}));

/**
 * Packages of hundreds of files, which take Node longest to load, and those that they need in another version than
 * node_modules has at the top. `graphql` may exist only once, and others require it.
 */
const bundled = [
  ...[/^@apollo\/(client|server)/, /^@as-integrations\//, /^@graphql-tools\//, /^@wry\//],
  ...[
    "graphql-scalars",
    "nodemailer",
    "optimism",
    "react-router",
    "react-router-dom",
    "rxjs",
    "type-graphql",
    "zod",
  ],
  ...["cookie", "semver", "set-cookie-parser"],
];

/** One chunk for the code of every page: small files compress worse and cost a request each. */
const frame: CodeSplittingGroup = { name: "frame", tags: ["$initial"], priority: 2 };

/** Readers' pages do not use it, but import the index of its package. */
const isUnusedByReaders = (id: string) => id.endsWith("/hooks/useMutation.js");

/** Pages that readers load most, of which a module is part. */
function readersPagesOf(id: string, chunking: ChunkingContext): string[] {
  if (isUnusedByReaders(id)) return [];
  const pages = new Set<string>();
  const seen = new Set<string>();
  const climb = (module: string) => {
    if (seen.has(module)) return;
    seen.add(module);
    if (/client\/pages\/(home|posts|category|post-details)\.tsx$/.test(module)) pages.add(module);
    else chunking.getModuleInfo(module)?.importers.forEach(climb);
  };
  climb(id);
  return [...pages];
}

/** One chunk for the code that the page of a post shares with lists, without the code for writers and admins. */
const reading: CodeSplittingGroup = {
  debugName: "reading",
  // Before `lists`, which would take the shared modules that its own import.
  priority: 1,
  name: (id, chunking) => {
    const pages = readersPagesOf(id, chunking);
    return pages.length > 1 && pages.some((page) => page.includes("post-details")) ? "reading" : null;
  },
};

/** One chunk for the code that lists share. */
const lists: CodeSplittingGroup = {
  debugName: "lists",
  name: (id, chunking) => (readersPagesOf(id, chunking).length > 1 ? "lists" : null),
};

/** Declares the order of the cascade layers in each CSS file, because chunks load in any order. */
function layerOrder(): Plugin {
  return {
    name: "layer-order",
    enforce: "post",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === "asset" && file.fileName.endsWith(".css"))
          file.source = `@layer reset, base, ui, features, pages;${String(file.source)}`;
    },
  };
}

/** Turndown tries to parse HTML as it is loaded, which Trusted Types refuse and report. It only gets parsed HTML. */
function turndownWithoutTrial(): Plugin {
  const trial = "HTMLParser = canParseHTMLNatively()";
  return {
    name: "turndown-without-trial",
    transform: (code, id) => (/\/turndown\//.test(id) ? code.replace(trial, "HTMLParser = true") : null),
  };
}

/** Builds the service worker as a classic script, since Firefox has modules as workers of this kind only since 2026. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    async generateBundle(_options, bundle) {
      const names = Object.keys(bundle).sort().join();
      const { output } = (await build({
        configFile: false,
        publicDir: false,
        logLevel: "warn",
        define: { BUILD: JSON.stringify(createHash("sha256").update(names).digest("hex").slice(0, 12)) },
        build: {
          write: false,
          target: "es2022",
          rolldownOptions: { input: "client/worker/service-worker.ts", output: { format: "iife" } },
        },
      })) as Rolldown.RolldownOutput;
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: output[0].code });
    },
  };
}

function persistedDocuments(): Plugin {
  const fileName = "persisted-documents.json";
  return {
    name: "persisted-documents",
    generateBundle() {
      const manifests = ["", "/admin", "/forms", "/lists", "/reading", "/search", "/writing"].map(
        (group) => JSON.parse(readFileSync(join(`client/generated${group}`, fileName), "utf8")) as object,
      );
      this.emitFile({ type: "asset", fileName, source: JSON.stringify(Object.assign({}, ...manifests)) });
    },
  };
}

/** Prisma's generated client would hold the compiler as Base64 in the heap for good, in two copies. */
function queryCompilerAsFile(): Plugin {
  const load = /const \{ wasm \} = await import\("(.+)"\)\s+return await decodeBase64AsWasm\(wasm\)/;
  const fileName = "query-compiler.wasm";
  let source = "";
  return {
    name: "query-compiler-as-file",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/generated/prisma/internal/class.ts")) return null;
      source = load.exec(code)?.[1] ?? "";
      if (!source) throw new Error(`${id} does not load the query compiler as expected`);
      return code.replace(
        load,
        `const { readFileSync } = await import("node:fs")
    return new WebAssembly.Module(readFileSync(new URL("${fileName}", import.meta.url)))`,
      );
    },
    renderChunk: (code, chunk) => ({
      code: code.replace(
        `"${fileName}"`,
        `"${"../".repeat(chunk.fileName.split("/").length - 1)}${fileName}"`,
      ),
      map: null,
    }),
    generateBundle: {
      // Vite removes the assets of a server's build before.
      order: "post",
      async handler() {
        if (!source) return;
        const { wasm } = (await import(source)) as { wasm: string };
        this.emitFile({ type: "asset", fileName, source: Buffer.from(wasm, "base64") });
      },
    },
  };
}

/** V8 stores a file with a single character beyond Latin-1 in two bytes per character. */
function asciiOnly(): Plugin {
  return {
    name: "ascii-only",
    renderChunk(code, { fileName }) {
      if (RAW.test(code)) throw new Error(`${fileName} has a raw character beyond Latin-1`);
      return { code: code.replace(/[^\0-\u00ff]/g, escapeUnit), map: null };
    },
  };
}

/** Characters that an escape cannot replace. */
const RAW = /\\[^\0-\u00ff]|String\.raw`[^`]*[^\0-\u00ff`]/;
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

function compressed(): Plugin {
  return { name: "compressed", writeBundle: ({ dir = "" }) => precompress(dir) };
}
