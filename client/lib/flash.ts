const SHOWN_MS = 2000;

type Flash = { text: string; to?: string };

const nothing: Flash = { text: "" };
let current = nothing;
let timer: ReturnType<typeof setTimeout>;
const listeners = new Set<() => void>();

function change(next: Flash): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a notice for two seconds, which outlasts a redirect. @param to the path that the notice links to */
export function flash(text: string, to?: string): void {
  change({ text, to });
  resumeFlash();
}

/** Keeps the notice, while a user is about to follow its link. */
export const pauseFlash = (): void => clearTimeout(timer);

export function resumeFlash(): void {
  clearTimeout(timer);
  timer = setTimeout(() => change(nothing), SHOWN_MS);
}

export const flashed = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => current,
  readOnServer: () => nothing,
};
