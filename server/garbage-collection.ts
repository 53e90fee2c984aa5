/** Milliseconds: after the start, and between two looks. */
const [COLLECTION_DELAY, INTERVAL] = [1_000, 10_000];
/** Share of a core below which the process is idle. */
const IDLE_SHARE = 0.05;
const WORTHWHILE_BYTES = 25 * 1024 * 1024;

/** Returns memory to the system after the start, and when load has ended: V8 keeps it until there is load again. */
export function returnMemory(): void {
  let least = Infinity;
  let cpu = process.cpuUsage();
  const collect = async () => {
    await collectGarbage().catch(() => undefined);
    least = process.memoryUsage().heapTotal;
  };
  setTimeout(() => void collect(), COLLECTION_DELAY).unref();
  setInterval(() => {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const isIdle = (user + system) / 1_000 < INTERVAL * IDLE_SHARE;
    if (isIdle && process.memoryUsage().heapTotal > least + WORTHWHILE_BYTES) void collect();
  }, INTERVAL).unref();
}

/** Unlike V8's function `gc`, this also shrinks the space of young objects. @throws if Node was built without it */
async function collectGarbage(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}
