import { resolve } from "node:path";

export const httpWorkerFile = resolve("dist/server/http-worker.js");
