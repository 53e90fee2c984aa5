import { useEffect } from "react";

declare global {
  interface Window {
    /** What the boot script has seen; gone once the page is alive. */
    early?: { button?: HTMLButtonElement | null };
  }
}

/** Presses the button again that was pressed before the page was alive: nobody knows when that is. */
export function useClickReplay(): void {
  useEffect(() => {
    const { early } = window;
    delete window.early;
    early?.button?.click();
  }, []);
}
