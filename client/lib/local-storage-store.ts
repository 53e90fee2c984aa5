export type Stored<T> = {
  read: () => T | null;
  write: (value: T | null) => void;
  subscribe: (listener: () => void) => () => void;
};

/**
 * `read` parses only when the text has changed, so equal values are the same object, as useSyncExternalStore requires.
 * `accept` validates the stored value, which other programs may write, and returns null for invalid ones.
 * Without storage (private windows, full quota) the value lives as long as the page.
 */
export function createStored<T>(
  key: string,
  accept: (value: unknown) => T | null = (value) => value as T,
  storage: () => Storage = () => localStorage,
): Stored<T> {
  const listeners = new Set<() => void>();
  let cached: { text: string | null; value: T | null } = { text: null, value: null };
  const read = () => {
    const text = readText(storage, key, cached.text);
    if (text !== cached.text) cached = { text, value: accept(parse(text)) };
    return cached.value;
  };
  return {
    read,
    write: (value) => {
      cached = { text: value === null ? null : JSON.stringify(value), value };
      writeText(storage, key, cached.text);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      const onStorage = (event: StorageEvent) =>
        event.key === key || event.key === null ? listener() : undefined;
      // Firefox sends no storage events to a page that Back may restore.
      const onPageShow = ({ persisted }: PageTransitionEvent) => void (persisted && listener());
      listeners.add(listener);
      addEventListener("storage", onStorage);
      addEventListener("pageshow", onPageShow);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", onStorage);
        removeEventListener("pageshow", onPageShow);
      };
    },
  };
}

function readText(storage: () => Storage, key: string, fallback: string | null): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return fallback;
  }
}

function writeText(storage: () => Storage, key: string, text: string | null): void {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Without storage the value lives in memory.
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
