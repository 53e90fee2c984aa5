import type { ToastOptions } from "react-toastify";

type Kind = "success" | "error" | "warning" | "info";

let wanted = false;
const listeners = new Set<() => void>();

const load = async () => {
  const [{ toast: toastify }] = await Promise.all([
    import("react-toastify/unstyled"),
    import("../ui/feedback/toast-container.tsx"),
  ]);
  return toastify;
};

/** For who is about to do something that can fail: without a network the code for saying so could not come. */
export const prepareToasts = () => void load().catch(() => undefined);

/** Toasts are code that most readers never need: it is loaded with the first one. */
async function show(kind: Kind, message: string, options?: ToastOptions): Promise<void> {
  const toastify = await load();
  if (!wanted) {
    wanted = true;
    for (const listener of listeners) listener();
  }
  // The same message twice is one toast.
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
  read: () => wanted,
};
