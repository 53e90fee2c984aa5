type Start = () => void;

/** Takes from the keys in turns, and from each in the order of arrival. */
export function createFairQueue<Entry = Start>() {
  const byKey = new Map<string, Entry[]>();
  let length = 0;
  return {
    length: () => length,
    keyCount: () => byKey.size,
    keys: () => [...byKey.keys()],
    lengthOf: (key: string) => byKey.get(key)?.length ?? 0,
    push(key: string, entry: Entry): void {
      const queue = byKey.get(key);
      if (queue) queue.push(entry);
      else byKey.set(key, [entry]);
      length++;
    },
    take(most: number, isAllowed = (_key: string) => true): Entry[] {
      const taken: Entry[] = [];
      for (const [key, queue] of byKey) {
        if (taken.length === most) break;
        if (!isAllowed(key)) continue;
        taken.push(queue.shift() as Entry);
        // Set again, it is the last of the keys.
        byKey.delete(key);
        if (queue.length > 0) byKey.set(key, queue);
      }
      length -= taken.length;
      return taken;
    },
    removeIf(isUnneeded: (entry: Entry) => boolean): void {
      for (const [key, queue] of byKey) {
        const needed = queue.filter((entry) => !isUnneeded(entry));
        length -= queue.length - needed.length;
        if (needed.length > 0) byKey.set(key, needed);
        else byKey.delete(key);
      }
    },
    takeNewestOfLargest(): Entry | undefined {
      let [key, largest]: [string, Entry[]] = ["", []];
      for (const one of byKey) if (one[1].length > largest.length) [key, largest] = one;
      if (largest.length === 1) byKey.delete(key);
      if (largest.length > 0) length--;
      return largest.pop();
    },
  };
}

export type FairQueue = ReturnType<typeof createFairQueue<Start>>;
