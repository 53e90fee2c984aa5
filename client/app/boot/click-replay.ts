import { useEffect } from "react";

declare global {
  interface Window {
    early?: { button?: HTMLButtonElement | null };
  }
}

export function useClickReplay(): void {
  useEffect(() => {
    const { early } = window;
    delete window.early;
    early?.button?.click();
  }, []);
}
