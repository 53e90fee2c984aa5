let host: HTMLElement | undefined;

/** The element that holds all toasts; it is moved between the page and an open dialog. */
export const toastHost = (): HTMLElement =>
  (host ??= Object.assign(document.createElement("div"), { className: "toast-host" }));

/** Moves the toasts. Outside an open dialog they would be below its backdrop and could not be clicked. */
export function showToastsIn(container: HTMLElement): void {
  const element = toastHost();
  // Keeps the running animations, which time the toasts; not all browsers have it.
  if ("moveBefore" in container && element.isConnected) container.moveBefore(element, null);
  else container.append(element);
}
