import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "../../vite.config.ts";

// A product of its own: no page of the blog shares a byte with it.
export default defineConfig({
  root: "client/explorer",
  base: "/playground/",
  plugins: [react(), precompress()],
  publicDir: false,
  build: { emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 3_000 },
});
