import { useEffect, type RefObject } from "react";
import { loadCode } from "../../lib/load-code.ts";

const uses = ["pointermove", "touchstart", "keydown", "scroll"];

/** Loads the tools of code, pictures and headings when the page is used, if the text has any of them. */
export function useTextTools(article: RefObject<HTMLElement | null>, html: string): void {
  useEffect(() => {
    if (!/<(pre|img|h2|h3)\b/.test(html)) return;
    const controller = new AbortController();
    const begin = () => {
      controller.abort();
      const prose = article.current?.querySelector<HTMLElement>(".prose");
      if (prose)
        void loadCode(() => import("./text-tools.ts")).then(({ addTextTools }) => addTextTools(prose));
    };
    for (const use of uses) addEventListener(use, begin, { signal: controller.signal, passive: true });
    return () => controller.abort();
  }, [article, html]);
}
