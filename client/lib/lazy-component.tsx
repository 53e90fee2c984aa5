import { lazy, Suspense, type ComponentType } from "react";
import { loadCode } from "./load-code.ts";

/** @param instead shown if the code cannot be loaded; without it an update of the server reloads the page */
export function lazyComponent<Props extends object>(
  find: () => Promise<ComponentType<Props>>,
  instead?: ComponentType<Props>,
) {
  const Lazy = lazy(async () => ({
    default: await (instead ? find().catch(() => instead) : loadCode(find)),
  }));
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={null}>
        <Lazy {...props} />
      </Suspense>
    );
  };
}
