import { useEffect } from "react";

const added = [
  'meta[property], meta[name="robots"], meta[name="twitter:card"]',
  'script[type="application/ld+json"], link[type="application/json+oembed"]',
].join();

// Not from a render: an early click may change the path before hydration ends.
const loadedPath = typeof location === "undefined" ? "" : location.pathname;

/** Removes what the server added for programs that load a single page: it does not describe the next one. */
export function useLinkPreviewRemoval(pathname: string): void {
  useEffect(() => {
    if (pathname === loadedPath) return;
    for (const element of document.head.querySelectorAll(added)) element.remove();
  }, [pathname]);
}
