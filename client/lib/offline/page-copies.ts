/** What the service worker (`client/worker`) keeps of pages that were read: the worker and the pages use this storage. */
export const PAGES = "blog-pages";
export const PICTURES = "blog-pictures";

export type WorkerMessage =
  /** Keeps a page that is shown, and the files that it loaded. */
  | { type: "keep"; page: string; files: string[] }
  /** Deletes everything that tells what was read. */
  | { type: "forget" }
  /** Makes a waiting version of the worker the active one. */
  | { type: "take over" };

export const deleteCopies = () => Promise.all([PAGES, PICTURES].map((name) => caches.delete(name)));

/** For a new session. Does not need the worker, which repeats it after a page that it is just storing. */
export async function forgetPages(): Promise<void> {
  await deleteCopies();
  navigator.serviceWorker.controller?.postMessage({ type: "forget" } satisfies WorkerMessage);
}
