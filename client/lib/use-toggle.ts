import { useRef, useState } from "react";
import { reportError } from "./forms/report-error.ts";

/**
 * Toggles a value on the server optimistically and rolls back on errors. Sends one request at a time and only the latest
 * state: ten quick clicks end in the state of the tenth.
 */
export function useToggle(value: boolean, write: (isOn: boolean) => Promise<unknown>) {
  const [optimistic, setOptimistic] = useState<boolean | null>(null);
  const target = useRef<boolean | null>(null);

  async function settle(): Promise<void> {
    try {
      for (let sent: boolean | null = null; sent !== target.current;) {
        sent = target.current;
        if (sent !== null) await write(sent);
      }
    } catch (error) {
      reportError(error);
    } finally {
      target.current = null;
      setOptimistic(null);
    }
  }

  return {
    isOn: optimistic ?? value,
    toggle: () => {
      const busy = target.current !== null;
      target.current = !(target.current ?? value);
      setOptimistic(target.current);
      if (!busy) void settle();
    },
  };
}
