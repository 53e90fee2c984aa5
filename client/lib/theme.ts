import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "theme";
const listeners = new Set<() => void>();

function show(theme: string | null): void {
  const { dataset } = document.documentElement;
  if (theme === "light" || theme === "dark") dataset["theme"] = theme;
  else delete dataset["theme"];
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {}
  show(theme);
}

function subscribe(listener: () => void) {
  const onStorage = ({ key, newValue }: StorageEvent) => key === KEY && show(newValue);
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

const read = () => (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system";

/** Returns `system` on the server. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, read, () => "system");
