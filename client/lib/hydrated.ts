import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the first render of its HTML, true ever after. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
