import type { FocusEvent, MouseEvent } from "react";
import { pageAt } from "../pages.ts";

export function prefetch(event: MouseEvent | FocusEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && link.origin === location.origin)
    pageAt(link.pathname)
      .load()
      .catch(() => undefined);
}
