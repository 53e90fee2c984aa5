// Loaded into the attacked server (--import): answers with what it holds after a forced garbage collection.
import { getHeapStatistics } from "node:v8";

process.on("message", async (question) => {
  if (question !== "measure") return;
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await new Promise((done) => setTimeout(done, 100));
  }
  const { heapUsed, rss, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const sockets = resources.filter((name) => name === "TCPSocketWrap").length;
  const contexts = getHeapStatistics().number_of_native_contexts;
  process.send?.({ heapUsed, rss, external, sockets, contexts });
});
// Listening to messages alone must not keep the server alive.
process.channel?.unref();
