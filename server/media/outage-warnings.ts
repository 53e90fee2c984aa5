import { StoreUnavailable } from "../errors.ts";

const MINUTE = 60_000;

export type Warn = (err: unknown) => void;

/** @returns passes an error on, and warns of the cause of an outage once a minute */
export function createOutageWarnings(warn: Warn): <E>(error: E) => E {
  let last = -MINUTE;
  return (error) => {
    if (error instanceof StoreUnavailable && performance.now() - last >= MINUTE) {
      last = performance.now();
      warn(error.cause);
    }
    return error;
  };
}
