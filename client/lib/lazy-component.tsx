import { lazy, Suspense, type ComponentType } from "react";
import { loadCode } from "./load-code.ts";

export function lazyComponent<Props extends object>(find: () => Promise<ComponentType<Props>>) {
  const Lazy = lazy(async () => ({ default: await loadCode(find) }));
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={null}>
        <Lazy {...props} />
      </Suspense>
    );
  };
}
