type Start = () => void;

/** Takes from the keys in turns, and from each in the order of arrival. */
export function createFairQueue() {
  const byKey = new Map<string, Start[]>();
  let length = 0;
  return {
    length: () => length,
    keyCount: () => byKey.size,
    keys: () => [...byKey.keys()],
    lengthOf: (key: string) => byKey.get(key)?.length ?? 0,
    push(key: string, start: Start): void {
      const queue = byKey.get(key);
      if (queue) queue.push(start);
      else byKey.set(key, [start]);
      length++;
    },
    take(most: number, isAllowed = (_key: string) => true): Start[] {
      const taken: Start[] = [];
      for (const [key, queue] of byKey) {
        if (taken.length === most) break;
        if (!isAllowed(key)) continue;
        taken.push(queue.shift() as Start);
        // Set again, it is the last of the keys.
        byKey.delete(key);
        if (queue.length > 0) byKey.set(key, queue);
      }
      length -= taken.length;
      return taken;
    },
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;
