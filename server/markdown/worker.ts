import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render.ts";

parentPort?.on("message", (text: string) => parentPort?.postMessage(renderMarkdown(text)));
