import { lazy, Suspense, type ComponentType } from "react";
import { loadCode } from "./load-code.ts";

/** @param Instead shown until the code is loaded, and if it cannot be; without it an update of the server reloads the page */
export function lazyComponent<Props extends object>(
  find: () => Promise<ComponentType<Props>>,
  Instead?: ComponentType<Props>,
) {
  const Lazy = lazy(async () => ({
    default: await (Instead ? find().catch(() => Instead) : loadCode(find)),
  }));
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={Instead ? <Instead {...props} /> : null}>
        <Lazy {...props} />
      </Suspense>
    );
  };
}
