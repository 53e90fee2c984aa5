import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { BlogError } from "../errors.ts";
import { encodeAvif, encodeCard, encodePicture, encodeWide } from "./encode.ts";
import type { EncodeReply, EncodeTask } from "./encoder.ts";

// The server has priority: if memory runs out, the kernel kills this process first.
const [priority] = process.argv.slice(2).map(Number);
for (const lowerPriority of [
  () => setPriority(priority ?? 10),
  () => writeFileSync("/proc/self/oom_score_adj", "1000"),
])
  try {
    lowerPriority();
  } catch {}

// Signals reach the whole process group. Ignored to finish the current task; the server disconnects to end us.
process.on("SIGINT", () => undefined).on("SIGTERM", () => undefined);
process.on("disconnect", () => process.exit(0));

function encode(task: EncodeTask) {
  if (task.kind === "avif") return encodeAvif(task.bytes, task.width);
  if (task.kind === "card") return encodeCard(task.bytes);
  return task.kind === "wide" ? encodeWide(task.bytes) : encodePicture(task.bytes);
}

async function perform(task: EncodeTask): Promise<EncodeReply> {
  try {
    return { result: await encode(task) };
  } catch (error) {
    if (error instanceof BlogError) return { code: error.code, message: error.message };
    return { failure: (error as Error).message };
  }
}

process.on("message", (task: EncodeTask) => {
  void perform(task).then((reply) => {
    process.send?.(reply);
    // Pictures are outside of V8's heap, so that many would be left over before it collects them.
    setImmediate(() => globalThis.gc?.());
  });
});
