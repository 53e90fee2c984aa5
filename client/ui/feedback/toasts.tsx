import { lazy, Suspense, useSyncExternalStore } from "react";
import { toastsWanted } from "../../lib/toast.ts";

const Container = lazy(async () => ({ default: (await import("./toast-container.tsx")).ToastContainer }));

/** Renders nothing until the first toast, so that the library is not loaded before. */
export function Toasts() {
  const isRequested = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.read, () => false);
  if (!isRequested) return null;
  return (
    <Suspense fallback={null}>
      <Container />
    </Suspense>
  );
}
