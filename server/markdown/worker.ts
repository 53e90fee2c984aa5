import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { TextPictures } from "../domain/ports.ts";
import { renderMarkdown } from "./render.ts";

/** A quarter of the weight of the event loop, because a text has a deadline. */
const NICE = 6;

export type RenderTask = { text: string; pictures: TextPictures };

// On Linux a thread has a priority of its own, so that requests run first. Elsewhere it is that of the whole process.
if (process.platform === "linux") setPriority(NICE);

parentPort?.on("message", ({ text, pictures }: RenderTask) =>
  parentPort?.postMessage(renderMarkdown(text, pictures)),
);
