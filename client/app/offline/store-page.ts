import { paths } from "../../config/paths.ts";
import { hasDrafts } from "../../lib/drafts/drafts.ts";
import type { WorkerMessage } from "../../lib/offline/page-copies.ts";

const SCRIPT = "/service-worker.js";
/** Milliseconds between update checks of an open page. */
const UPDATE_INTERVAL = 3_600_000;

let registration: Promise<ServiceWorkerRegistration> | undefined;
let checkedAt = Date.now();

/** Stores the current page for offline reading. The first call registers the service worker. */
export async function storePage(): Promise<void> {
  registration ??= register();
  const ready = await registration;
  if (ready.waiting && !hasDrafts()) await activate(ready.waiting);
  await checkForUpdate(ready);
  const { active } = ready;
  const isReading = document.querySelector('link[rel="canonical"]') !== null;
  if (!isReading || !active || savesData()) return;
  const pictures = [...document.images].map(({ currentSrc }) => currentSrc);
  // Pictures since the document was loaded may be those of a draft, or of an account that has logged out.
  const others = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const files = others.filter(({ initiatorType }) => initiatorType !== "img").map(({ name }) => name);
  const { pathname, search, origin } = location;
  send(active, {
    type: "keep",
    page: origin + pathname + search,
    files: [...pictures, ...files].filter(Boolean),
  });
}

async function register(): Promise<ServiceWorkerRegistration> {
  if (document.readyState !== "complete")
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  await navigator.serviceWorker.register(trusted(SCRIPT), { updateViaCache: "none" });
  const ready = await navigator.serviceWorker.ready;
  // Before React, which would open the page without loading it.
  addEventListener("click", (event) => leaveToBrowser(event, ready), true);
  return ready;
}

const send = (worker: ServiceWorker, message: WorkerMessage) => worker.postMessage(message);

/** The browser waits for the active worker to be idle, which gets no more pages to store meanwhile. */
const activate = (waiting: ServiceWorker) =>
  new Promise<void>((resolve) => {
    waiting.addEventListener("statechange", ({ target }) => {
      if (["activated", "redundant"].includes((target as ServiceWorker).state)) resolve();
    });
    send(waiting, { type: "take over" });
  });

async function checkForUpdate(ready: ServiceWorkerRegistration): Promise<void> {
  if (Date.now() - checkedAt < UPDATE_INTERVAL) return;
  checkedAt = Date.now();
  await ready.update().catch(() => undefined);
}

/**
 * Links load their page when the browser is offline, since only whole documents are stored, and when a new version of the
 * site waits, which then takes over; never while a form holds unsaved text.
 */
function leaveToBrowser(event: MouseEvent, { waiting }: ServiceWorkerRegistration): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  // Links to Login carry the next action in their state.
  if (!link || link.origin !== location.origin || link.pathname === paths.login) return;
  if (!navigator.onLine || (waiting && !hasDrafts())) event.stopPropagation();
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

type Policy = { createScriptURL: (url: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

/** For browsers with Trusted Types: the only script that a script of the page may load. */
function trusted(script: typeof SCRIPT): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return (
    trustedTypes?.createPolicy("worker", { createScriptURL: () => SCRIPT }).createScriptURL(script) ?? script
  );
}
