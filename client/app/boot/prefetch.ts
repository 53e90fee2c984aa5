import type { FocusEvent, MouseEvent } from "react";
import { pageAt } from "../pages.ts";

/** Loads the code of the page that a link under the pointer or the focus leads to. */
export function prefetch(event: MouseEvent | FocusEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && link.origin === location.origin)
    pageAt(link.pathname)
      .load()
      .catch(() => undefined);
}
