import { useEffect } from "react";

declare global {
  interface Window {
    early?: { button?: HTMLButtonElement | null };
  }
}

/** Replays a click made before hydration. */
export function useClickReplay(): void {
  useEffect(() => {
    const { early } = window;
    delete window.early;
    early?.button?.click();
  }, []);
}
