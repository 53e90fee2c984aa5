import { useEffect } from "react";
import { createPortal } from "react-dom";
import { toast, ToastContainer as Toastify } from "react-toastify/unstyled";
import { keepFocusVisible } from "./keep-focus-visible.ts";
import { showToastsIn, toastHost } from "./toast-host.ts";
import "../styles/toasts.css";

/** Toasts do not close while hovered or focused. */
export function ToastContainer() {
  const host = toastHost();
  useEffect(() => {
    if (!host.isConnected) showToastsIn(document.querySelector<HTMLElement>("dialog[open]") ?? document.body);
    return keepFocusVisible(host);
  }, [host]);
  return createPortal(
    <div onFocus={() => toast.pause()} onBlur={() => toast.play()}>
      <Toastify
        position="top-right"
        autoClose={5000}
        pauseOnHover
        pauseOnFocusLoss={false}
        theme="light"
        aria-label="Messages"
      />
    </div>,
    host,
  );
}
