import { useEffect, useRef } from "react";

const added = [
  'meta[property], meta[name="robots"], meta[name="twitter:card"]',
  'script[type="application/ld+json"], link[type="application/json+oembed"]',
].join();

/** Removes what the server added for programs that load a single page: it does not describe the next one. */
export function useLinkPreviewRemoval(pathname: string): void {
  const first = useRef(pathname);
  useEffect(() => {
    if (pathname === first.current) return;
    for (const element of document.head.querySelectorAll(added)) element.remove();
  }, [pathname]);
}
