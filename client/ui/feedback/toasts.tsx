import { lazy, Suspense, useSyncExternalStore } from "react";
import { toastsRequested } from "../../lib/toast.ts";

const Container = lazy(async () => ({ default: (await import("./toast-container.tsx")).ToastContainer }));

/** Renders nothing until the first toast, so that the library is not loaded before. */
export function Toasts() {
  const isRequested = useSyncExternalStore(toastsRequested.subscribe, toastsRequested.read, () => false);
  if (!isRequested) return null;
  return (
    <Suspense fallback={null}>
      <Container />
    </Suspense>
  );
}
