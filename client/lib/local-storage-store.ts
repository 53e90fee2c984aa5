/** A value in localStorage that several tabs share. */
export type Stored<T> = {
  read: () => T | null;
  write: (value: T | null) => void;
  subscribe: (listener: () => void) => () => void;
};

/**
 * Reads parse only when the text has changed, so that the same value is the same object.
 * `accept` checks what was stored, perhaps by somebody else, and gives null for what cannot be used.
 * Without storage (private windows, full quota) the value lives as long as the page.
 */
export function createStored<T>(
  key: string,
  accept: (value: unknown) => T | null = (value) => value as T,
): Stored<T> {
  const listeners = new Set<() => void>();
  let known: { text: string | null; value: T | null } = { text: null, value: null };
  const read = () => {
    const text = readText(key, known.text);
    if (text !== known.text) known = { text, value: accept(parse(text)) };
    return known.value;
  };
  return {
    read,
    write: (value) => {
      known = { text: value === null ? null : JSON.stringify(value), value };
      writeText(key, known.text);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      const onStorage = (event: StorageEvent) =>
        event.key === key || event.key === null ? listener() : undefined;
      listeners.add(listener);
      addEventListener("storage", onStorage);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", onStorage);
      };
    },
  };
}

function readText(key: string, fallback: string | null): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return fallback;
  }
}

function writeText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The value lives in memory then.
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
