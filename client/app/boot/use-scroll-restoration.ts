import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** How far down one was, by the history's entry. */
const places = new Map<string, number>();

/**
 * On a new page one starts at its top, with the eyes as with the keyboard; back and forward lead to where
 * one was. Who sorts or searches stays in place.
 */
export function useScrollRestoration(main: RefObject<HTMLElement | null>): void {
  const { pathname, search, key, state } = useLocation();
  const staysInPlace = (state as { staysInPlace?: boolean } | null)?.staysInPlace;
  const type = useNavigationType();
  const address = pathname + search;
  const known = useRef({ address, key });
  useRememberedPlaces(known);
  useLayoutEffect(() => {
    const before = known.current.address;
    known.current = { address, key };
    if (before === address) return;
    const top = type === "POP" ? (places.get(key) ?? 0) : 0;
    if (type === "POP" || !staysInPlace) window.scrollTo({ top, behavior: "instant" });
    if (type !== "POP" && !staysInPlace) main.current?.focus({ preventScroll: true });
  }, [main, address, key, type, staysInPlace]);
}

/** The browser would scroll before the page one goes back to is there. After a reload it knows better. */
function useRememberedPlaces(known: RefObject<{ key: string }>): void {
  useEffect(() => {
    const onScroll = () => void places.set(known.current.key, window.scrollY);
    const onLeave = () => void (history.scrollRestoration = "auto");
    history.scrollRestoration = "manual";
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("pagehide", onLeave);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("pagehide", onLeave);
    };
  }, [known]);
}
