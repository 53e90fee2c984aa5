import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown, type UserConfig } from "vite";
import { precompress } from "./scripts/precompress.mjs";

type CodeSplittingGroup = Rolldown.CodeSplittingGroup;

// Two products from one tree: what a browser loads (dist/client) and what Node runs (dist/server,
// with the client's entry for rendering pages beside the server's own). scripts/prepare.mjs says where they go.
export default defineConfig(({ isSsrBuild }): UserConfig => ({
  plugins: [react(), ...(isSsrBuild ? [persistedDocuments()] : [layerOrder(), compressed()])],
  publicDir: "client/public",
  oxc: { decorator: { legacy: true } },
  // RxJS keeps its classes of today behind a condition of its own.
  ...(!isSsrBuild && { resolve: { conditions: ["es2015", ...defaultClientConditions] } }),
  build: isSsrBuild
    ? {
        target: "node20",
        sourcemap: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: {
            main: "server/main.ts",
            blog: "server/cli/blog.ts",
            "encoder-process": "server/media/encoder-process.ts",
            "markdown-worker": "server/markdown/worker.ts",
            "entry-server": "client/app/entry-server.tsx",
          },
        },
      }
    : {
        target: "es2022",
        // Tokens are written with light-dark(), which browsers know since 2024; older words for it double the file.
        cssTarget: ["chrome123", "firefox120", "safari17.5"],
        manifest: "manifest.json",
        // Pages name what they need beforehand; for what some people load on demand, all would carry the names.
        modulePreload: {
          resolveDependencies: (_file, needed, { hostId }) => (hostId.includes("entry-client") ? needed : []),
        },
        rolldownOptions: {
          input: { "entry-client": "client/app/entry-client.tsx" },
          output: { codeSplitting: { groups: [frame, reading] } },
        },
      },
}));

/** Thirty small files compress worse than one, and each is a request: what every page needs travels together. */
const frame: CodeSplittingGroup = { name: "frame", tags: ["$initial"] };

/** So does what the readers' pages have in common. Nothing of writing and administration gets in with it. */
const reading: CodeSplittingGroup = {
  debugName: "reading",
  name: (id, chunking) => {
    const pages = new Set<string>();
    const seen = new Set<string>();
    const climb = (module: string) => {
      if (seen.has(module)) return;
      seen.add(module);
      if (/client\/pages\/(home|posts|category|post-details)\.tsx$/.test(module)) pages.add(module);
      else chunking.getModuleInfo(module)?.importers.forEach(climb);
    };
    climb(id);
    return pages.size > 1 ? "reading" : null;
  },
};

/** Chunks may put any component's styles first: the order of the layers has to stand before all of them. */
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

/** The server is told at build which documents our client may ask for by their hash. */
function persistedDocuments(): Plugin {
  const fileName = "persisted-documents.json";
  return {
    name: "persisted-documents",
    generateBundle() {
      const known = ["client/generated", "client/generated/admin"].map(
        (folder) => JSON.parse(readFileSync(join(folder, fileName), "utf8")) as object,
      );
      this.emitFile({ type: "asset", fileName, source: JSON.stringify(Object.assign({}, ...known)) });
    },
  };
}

/** Each file is compressed once, not at every request. */
function compressed(): Plugin {
  return { name: "compressed", writeBundle: ({ dir = "" }) => precompress(dir) };
}
