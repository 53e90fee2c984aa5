import { parentPort } from "node:worker_threads";
import type { TextPictures } from "../domain/ports.ts";
import { renderMarkdown } from "./render.ts";

export type RenderTask = { text: string; pictures: TextPictures };

parentPort?.on("message", ({ text, pictures }: RenderTask) =>
  parentPort?.postMessage(renderMarkdown(text, pictures)),
);
