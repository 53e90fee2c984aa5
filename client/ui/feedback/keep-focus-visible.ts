import { toast } from "react-toastify/unstyled";

const CONTROLS = "a, button, input, select, textarea, summary";

/**
 * Keeps toasts off the focused control: moves them to the lower edge of the window, and closes those that hide most of
 * the control there as well.
 * @returns stops it
 */
export function keepFocusVisible(host: HTMLElement): () => void {
  const check = () => {
    if (toastsOver(host, 0).length === 0) return;
    host.dataset["position"] = "bottom";
    for (const { id } of toastsOver(host, 0.5)) toast.dismiss(id);
  };
  const later = () => requestAnimationFrame(check);
  const stopListening = toast.onChange(({ status }) => {
    if (status === "added") later();
    else if (host.querySelector("[data-in=true]") === null) delete host.dataset["position"];
  });
  document.addEventListener("focusin", check);
  addEventListener("scroll", check, { passive: true });
  return () => {
    stopListening();
    document.removeEventListener("focusin", check);
    removeEventListener("scroll", check);
  };
}

/** The toasts that cover more than this share of the focused control. */
function toastsOver(host: HTMLElement, share: number): HTMLElement[] {
  const focused = document.activeElement;
  if (!focused?.matches(CONTROLS) || host.contains(focused)) return [];
  const control = focused.getBoundingClientRect();
  const container = host.querySelector(".Toastify__toast-container")?.getBoundingClientRect();
  if (!container) return [];
  return [...host.querySelectorAll<HTMLElement>(".Toastify__toast[data-in=true]")].filter((each) => {
    // Not the toast's own rectangle: it flies in from outside the window.
    const top = container.top + each.offsetTop;
    const width = Math.min(control.right, container.right) - Math.max(control.left, container.left);
    const height = Math.min(control.bottom, top + each.offsetHeight) - Math.max(control.top, top);
    return width > 0 && height > 0 && width * height > share * control.width * control.height;
  });
}
