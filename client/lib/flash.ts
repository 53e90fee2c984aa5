const SHOWN_MS = 2000;

let message = "";
let timer: ReturnType<typeof setTimeout>;
const listeners = new Set<() => void>();

function change(next: string): void {
  message = next;
  for (const listener of listeners) listener();
}

/** Shows a notice for two seconds, which outlasts a redirect. */
export function flash(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => change(""), SHOWN_MS);
  change(text);
}

export const flashed = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => message,
};
