import { lazy, Suspense, useSyncExternalStore } from "react";
import { toastsWanted } from "../../lib/toast.ts";

const Container = lazy(async () => ({ default: (await import("./toast-container.tsx")).ToastContainer }));

/** Where messages appear: top right, five seconds, held while somebody points at them. */
export function Toasts() {
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.read, () => false);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <Container />
    </Suspense>
  );
}
