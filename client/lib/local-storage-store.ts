export type Stored<T> = {
  read: () => T | null;
  /** @returns whether the storage has the value now */
  write: (value: T | null) => boolean;
  subscribe: (listener: () => void) => () => void;
};

/**
 * `read` parses only when the text has changed, so equal values are the same object, as useSyncExternalStore requires.
 * `accept` validates the stored value, which other programs may write, and returns null for invalid ones.
 * A value that the storage refuses (private windows, full quota) lives as long as the page, or until another tab writes.
 */
export function createStored<T>(
  key: string,
  accept: (value: unknown) => T | null = (value) => value as T,
  storage: () => Storage = () => localStorage,
): Stored<T> {
  const listeners = new Set<() => void>();
  let cached: { text: string | null; value: T | null } = { text: null, value: null };
  /** The text that stayed in the storage when it refused the cached one. */
  let outdated: string | null | undefined;
  const read = () => {
    const text = readText(storage, key);
    if (text === undefined || text === outdated || text === cached.text) return cached.value;
    outdated = undefined;
    cached = { text, value: accept(parse(text)) };
    return cached.value;
  };
  return {
    read,
    write: (value) => {
      cached = { text: value === null ? null : JSON.stringify(value), value };
      const isStored = writeText(storage, key, cached.text);
      outdated = isStored ? undefined : readText(storage, key);
      for (const listener of listeners) listener();
      return isStored;
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

/** @returns null without an item, undefined without access */
function readText(storage: () => Storage, key: string): string | null | undefined {
  try {
    return storage().getItem(key);
  } catch {
    return undefined;
  }
}

function writeText(storage: () => Storage, key: string, text: string | null): boolean {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
