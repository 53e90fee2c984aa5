import { toast, ToastContainer as Toastify } from "react-toastify/unstyled";
import "../styles/toasts.css";

/** Toasts do not close while hovered or focused. */
export const ToastContainer = () => (
  <div onFocus={() => toast.pause()} onBlur={() => toast.play()}>
    <Toastify
      position="top-right"
      autoClose={5000}
      pauseOnHover
      pauseOnFocusLoss
      theme="light"
      aria-label="Messages"
    />
  </div>
);
