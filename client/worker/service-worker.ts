import { deleteCopies, PICTURES, type WorkerMessage } from "../lib/offline/page-copies.ts";
import * as copies from "./copies.ts";
import { kindOf } from "./requests.ts";

// Visited pages can be read offline (docs/decisions/037). Pages are network first; files of the build
// and pictures never change. A storage failure never delays a response.

/** Differs for each build, so that browsers install the worker of a new one. Set by vite.config.ts. */
declare const BUILD: string;

// TypeScript's types of workers exclude those of pages.
type Lifetime = Event & { waitUntil: (work: Promise<unknown>) => void };
type Installing = Lifetime & { addRoutes?: (routes: object[]) => Promise<void> };
type Fetching = Lifetime & {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
  respondWith: (response: Promise<Response>) => void;
};
type Worker = {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener: {
    (name: "install", react: (event: Installing) => void): void;
    (name: "activate", react: (event: Lifetime) => void): void;
    (name: "fetch", react: (event: Fetching) => void): void;
    (name: "message", react: (event: Lifetime & { data: WorkerMessage }) => void): void;
  };
};
const worker = self as unknown as Worker;

worker.addEventListener("install", (event) => {
  // Where browsers support static routes, requests to the APIs do not wait for the worker to start.
  const routes = ["/graphql*", "/api/*"].map((urlPattern) => ({
    condition: { urlPattern },
    source: "network",
  }));
  event.waitUntil(Promise.all([copies.storeShell(BUILD), event.addRoutes?.(routes)]));
});

worker.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate(): Promise<void> {
  await worker.registration.navigationPreload?.enable();
  await copies.dropOtherShells(BUILD);
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request, worker.location.origin);
  if (kind === "page") event.respondWith(respondWithPage(event));
  else if (kind) event.respondWith(respondWithFile(event, kind === "file" ? copies.FILE_CACHE : PICTURES));
});

async function respondWithPage(event: Fetching): Promise<Response> {
  const { url } = event.request;
  const store = storeFor(session);
  let response: Response;
  try {
    response = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return copies.findPage(url);
  }
  const copy = response.clone();
  event.waitUntil(store(() => copies.storePage(url, copy)));
  return response;
}

async function respondWithFile(event: Fetching, name: string): Promise<Response> {
  const { request } = event;
  const store = storeFor(session);
  const stored = await copies.findCopy(request);
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    event.waitUntil(store(async () => (await caches.open(name)).put(request, copy)));
  }
  return response;
}

worker.addEventListener("message", (event) => {
  const { data } = event;
  if (data.type === "take over") void worker.skipWaiting();
  if (data.type === "forget") {
    session++;
    event.waitUntil(enqueue(deleteCopies));
  }
  if (data.type === "keep") event.waitUntil(enqueue(() => copies.storeVisited(data.page, data.files)));
});

let session = 0;

/** Stores the response to a request unless the session has ended meanwhile. */
const storeFor = (started: number) => (work: () => Promise<unknown>) =>
  enqueue(async () => void (started === session && (await work())));

let last: Promise<unknown> = Promise.resolve();

/** Serializes changes of the storage, so that the end of a session deletes all stored pages. */
function enqueue(work: () => Promise<unknown>): Promise<unknown> {
  last = last.then(work).catch(() => undefined);
  return last;
}
