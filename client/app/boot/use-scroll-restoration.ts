import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Scroll offsets in pixels, by key of the history entry. */
const offsets = new Map<string, number>();

/**
 * Scrolls to the top and focuses the main element on a new page. Back and forward restore the scroll offset.
 * Sorting and searching set `keepsScroll` and change neither.
 */
export function useScrollRestoration(main: RefObject<HTMLElement | null>): void {
  const { pathname, search, key, state } = useLocation();
  const keepsScroll = (state as { keepsScroll?: boolean } | null)?.keepsScroll;
  const type = useNavigationType();
  const address = pathname + search;
  const entry = useRef({ address, key });
  useSavedOffsets(entry);
  useLayoutEffect(() => {
    const before = entry.current.address;
    entry.current = { address, key };
    if (before === address) return;
    const top = type === "POP" ? (offsets.get(key) ?? 0) : 0;
    if (type === "POP" || !keepsScroll) window.scrollTo({ top, behavior: "instant" });
    if (type !== "POP" && !keepsScroll) main.current?.focus({ preventScroll: true });
  }, [main, address, key, type, keepsScroll]);
}

/** Disables the browser's restoration, which runs before the page is rendered; reloads still use it. */
function useSavedOffsets(entry: RefObject<{ key: string }>): void {
  useEffect(() => {
    const onScroll = () => void offsets.set(entry.current.key, window.scrollY);
    const onPageHide = () => void (history.scrollRestoration = "auto");
    history.scrollRestoration = "manual";
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("pagehide", onPageHide);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("pagehide", onPageHide);
    };
  }, [entry]);
}
