// Loaded into the server under test (--import): reports memory, sockets and objects after a forced garbage collection.
import { text } from "node:stream/consumers";
import { getHeapSnapshot } from "node:v8";

process.on("message", async (question) => {
  if (question !== "measure" && question !== "count") return;
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await new Promise((done) => setTimeout(done, 100));
  }
  if (question === "count") return void process.send?.(await countObjects());
  const { heapUsed, rss, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const sockets = resources.filter((name) => name === "TCPSocketWrap").length;
  process.send?.({ heapUsed, rss, external, sockets });
});
// Without unref the IPC channel would keep the server alive.
process.channel?.unref();

async function countObjects() {
  const { snapshot, nodes, strings } = JSON.parse(await text(getHeapSnapshot()));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf("type"), fields.indexOf("name")];
  const kinds = types[type];
  const counts = {};
  for (let node = 0; node < nodes.length; node += fields.length)
    if (kinds[nodes[node + type]] === "object") {
      const of = strings[nodes[node + name]];
      counts[of] = (counts[of] ?? 0) + 1;
    }
  return counts;
}
