import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// A separate bundle: the blog's pages share no code with it.
export default defineConfig({
  root: "client/explorer",
  base: "/playground/",
  plugins: [react()],
  publicDir: false,
  build: {
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 3_000,
    // The build is committed: a GraphiQL update should change two files, not forty.
    rolldownOptions: { output: { codeSplitting: false }, onLog: () => undefined },
  },
});
