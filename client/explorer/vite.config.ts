import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// A product of its own: no page of the blog shares a byte with it.
export default defineConfig({
  root: "client/explorer",
  base: "/playground/",
  plugins: [react()],
  publicDir: false,
  build: {
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 3_000,
    // The build is committed: two files change with GraphiQL, not forty.
    rolldownOptions: { output: { codeSplitting: false }, onLog: () => undefined },
  },
});
