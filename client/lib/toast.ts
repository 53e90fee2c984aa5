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

const problems = new Set<string>();
/** Part of their ids: a toast that is still leaving must not suppress an equal new one. */
let round = 0;

/** Loads the toast library with the first toast: most readers never need it. */
async function show(kind: Kind, message: string): Promise<void> {
  const isProblem = kind === "error" || kind === "warning";
  const begun = round;
  const toastify = await load();
  if (isProblem && begun !== round) return;
  if (!isRequested) {
    isRequested = true;
    for (const listener of listeners) listener();
  }
  // One id for equal messages prevents duplicate toasts.
  const toastId = isProblem ? `${kind}:${message}:${round}` : `${kind}:${message}`;
  if (isProblem) problems.add(toastId);
  toastify[kind](message, { toastId });
}

export const toast = {
  success: (message: string) => void show("success", message),
  error: (message: string) => void show("error", message),
  warning: (message: string) => void show("warning", message),
  info: (message: string) => void show("info", message),
};

/** Closes errors and warnings, and those that are about to show: a new attempt or another page makes them untrue. */
export function dismissProblems(): void {
  round++;
  if (problems.size === 0) return;
  const ids = [...problems];
  problems.clear();
  void load().then((toastify) => ids.forEach((id) => toastify.dismiss(id)));
}

export const toastsRequested = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => isRequested,
};
