import type { MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import { pageAt } from "../pages.ts";

/** Milliseconds to wait for the new page; nothing is painted meanwhile. */
const TIMEOUT = 300;

/**
 * Opens a post from its card in a view transition, in which the card's picture becomes that of the post. React Router
 * has transitions for data routers only.
 */
export function useCardTransition() {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const picture = link?.closest(".post-card")?.querySelector<HTMLElement>(".picture");
    if (!link || !picture || !opensHere(event) || !canTransition()) return;
    const page = pageAt(link.pathname);
    if (page.module !== "client/pages/post-details.tsx") return;
    event.preventDefault();
    picture.style.viewTransitionName = "post-picture";
    const open = () => {
      const shown = nextChange();
      void navigate(link.pathname);
      return shown;
    };
    // The transition would show an empty page while the code loads.
    void page
      .load()
      .catch(() => undefined)
      .then(() => document.startViewTransition(open));
  };
}

const opensHere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

const canTransition = () =>
  "startViewTransition" in document && !matchMedia("(prefers-reduced-motion: reduce)").matches;

const nextChange = () =>
  new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(document.querySelector("main") ?? document.body, { childList: true, subtree: true });
    setTimeout(resolve, TIMEOUT);
  });
