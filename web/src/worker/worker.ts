/**
 * The service worker (`/sw.js`): the app opens offline, and push notifications work while no page is open.
 * It caches the shell only; API responses never pass through it.
 */
import { notificationOf } from "./pushNotification.ts";
import { isCacheable, isServerAway, cacheKeyOf, evictable, cacheStrategyOf } from "./cacheStrategy.ts";

/** The used globals of service workers: TypeScript's libraries know pages or workers, not both at once. */
interface Worker {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(path: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof Happenings>(type: K, listener: (event: Happenings[K]) => void): void;
}
interface Page {
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface Waitable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Happenings {
  install: Waitable;
  activate: Waitable;
  fetch: Waitable & { readonly request: Request; respondWith(answer: Promise<Response>): void };
  push: Waitable & { readonly data: { json(): unknown } | null };
  message: Event & {
    readonly data:
      | { readonly type: "holdKey"; readonly sessionId: string; readonly key: string }
      | { readonly type: "readKey"; readonly sessionId: string }
      | { readonly type: "forgetKey" };
    readonly ports: readonly MessagePort[];
  };
  notificationclick: Waitable & { readonly notification: Notification };
}

const worker = globalThis as unknown as Worker;
const CACHE = "prosa-shell-1";
const MOST_FILES = 400;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (event) => {
  const way = cacheStrategyOf(event.request, worker.location.origin);
  if (way !== "network") {
    event.respondWith(way === "kept" ? keptFirst(event.request) : networkFirst(event.request));
  }
});
worker.addEventListener("push", (event) => event.waitUntil(show(event.data)));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { readonly path: string }).path));
});

/** The key of what this browser keeps, in memory only: a reload asks for it (see `app/kept/kept-key.ts`). */
let held: { readonly sessionId: string; readonly key: string } | undefined;
worker.addEventListener("message", ({ data, ports }) => {
  switch (data.type) {
    case "holdKey":
      held = data;
      break;
    case "forgetKey":
      held = undefined;
      break;
    case "readKey":
      ports[0]?.postMessage(held?.sessionId === data.sessionId ? held.key : undefined);
  }
});

async function begin(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("prosa-") && name !== CACHE).map((name) => caches.delete(name)),
  );
  await worker.clients.claim();
}

async function keptFirst(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(cacheKeyOf(request))) ?? fetchAndKeep(cache, request);
}

async function networkFirst(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetchAndKeep(cache, request);
    return (isServerAway(request, answer.status) && (await cache.match(cacheKeyOf(request)))) || answer;
  } catch (error) {
    const kept = await cache.match(cacheKeyOf(request));
    if (kept) {
      return kept;
    }
    throw error;
  }
}

async function fetchAndKeep(cache: Cache, request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (!answer.redirected && isCacheable(request, answer.status, answer.headers.get("content-type") ?? "")) {
    await cache.put(cacheKeyOf(request), answer.clone()).catch(() => undefined);
    const names = await cache.keys();
    await Promise.all(evictable(names, MOST_FILES).map((name) => cache.delete(name)));
  }
  return answer;
}

/** A visible page notifies by itself. */
async function show(data: { json(): unknown } | null): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { title, body, path } = notificationOf(read(data), navigator.language);
  if (pages.some(({ visibilityState }) => visibilityState === "visible") && path !== "/tickets") {
    return;
  }
  await worker.registration.showNotification(title, {
    body,
    tag: path,
    icon: "/icon-192.png",
    badge: "/icon-badge-96.png",
    data: { path },
  });
}

function read(data: { json(): unknown } | null): unknown {
  try {
    return data?.json();
  } catch {
    return undefined;
  }
}

/** Navigates an open page if there is one, without a reload. */
async function open(path: string): Promise<void> {
  const [page] = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (page) {
    await page.focus();
    page.postMessage({ type: "open", path });
  } else {
    await worker.clients.openWindow(path);
  }
}
