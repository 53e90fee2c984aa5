/** Storage of the service worker (`client/worker`) for visited pages, which the pages use too. */
export const PAGES = "blog-pages";
export const PICTURES = "blog-pictures";

export type WorkerMessage =
  | { type: "keep"; page: string; files: string[] }
  | { type: "forget" }
  /** Makes a waiting version of the worker the active one. */
  | { type: "take over" };

export const deleteCopies = () => Promise.all([PAGES, PICTURES].map((name) => caches.delete(name)));

/** For a new session. The worker repeats it after a page that it is storing. */
export async function deletePages(): Promise<void> {
  await deleteCopies();
  navigator.serviceWorker.controller?.postMessage({ type: "forget" } satisfies WorkerMessage);
}
