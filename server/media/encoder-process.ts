import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { BlogError } from "../errors.ts";
import { encodeAvif, encodePicture } from "./encode.ts";
import type { EncodeReply, EncodeTask } from "./encoder.ts";

// Requests come before pictures, and where memory is short this process is ended before the server.
for (const yieldFirst of [() => setPriority(10), () => writeFileSync("/proc/self/oom_score_adj", "1000")])
  try {
    yieldFirst();
  } catch {
    // Not everywhere.
  }

// Signals reach the whole group: what has begun is finished, and the server ends this process by disconnecting.
process.on("SIGINT", () => undefined).on("SIGTERM", () => undefined);
process.on("disconnect", () => process.exit(0));

async function perform(task: EncodeTask): Promise<EncodeReply> {
  const { kind, bytes } = task;
  try {
    return { result: await (kind === "picture" ? encodePicture(bytes) : encodeAvif(bytes, task.width)) };
  } catch (error) {
    if (error instanceof BlogError) return { code: error.code, message: error.message };
    return { failure: (error as Error).message };
  }
}

process.on("message", (task: EncodeTask) => {
  void perform(task).then((reply) => process.send?.(reply));
});
