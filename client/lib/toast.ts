import type { ToastOptions } from "react-toastify";

type Kind = "success" | "error" | "warning" | "info";

let isRequested = false;
const listeners = new Set<() => void>();

const load = async () => {
  const [{ toast: toastify }] = await Promise.all([
    import("react-toastify/unstyled"),
    import("../ui/feedback/toast-container.tsx"),
  ]);
  return toastify;
};

/** Preloads the code for toasts before an action that can fail: offline it could not be loaded. */
export const prepareToasts = () => void load().catch(() => undefined);

/** Loads the toast library with the first toast: most readers never need it. */
async function show(kind: Kind, message: string, options?: ToastOptions): Promise<void> {
  const toastify = await load();
  if (!isRequested) {
    isRequested = true;
    for (const listener of listeners) listener();
  }
  // One id for equal messages prevents duplicate toasts.
  toastify[kind](message, { toastId: `${kind}:${message}`, ...options });
}

export const toast = {
  success: (message: string, options?: ToastOptions) => void show("success", message, options),
  error: (message: string, options?: ToastOptions) => void show("error", message, options),
  warning: (message: string, options?: ToastOptions) => void show("warning", message, options),
  info: (message: string, options?: ToastOptions) => void show("info", message, options),
};

export const toastsWanted = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => isRequested,
};
