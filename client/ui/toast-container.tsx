import { ToastContainer as Toastify } from "react-toastify/unstyled";

export const ToastContainer = () => (
  <Toastify
    position="top-right"
    autoClose={5000}
    pauseOnHover
    pauseOnFocusLoss
    theme="light"
    aria-label="Messages"
  />
);
