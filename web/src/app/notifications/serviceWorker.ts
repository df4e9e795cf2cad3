/** The service worker of this page (`web/src/worker`): registered in a built app only, never while developing. */

let asked: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** Undefined where the browser has none, or blocks it. */
export function serviceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  asked ??= register();
  return asked;
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) {
    return undefined;
  }
  try {
    await navigator.serviceWorker.register("/sw.js");
    return await navigator.serviceWorker.ready;
  } catch {
    return undefined;
  }
}

/** Navigates on a click on a notification of the worker. Returns the function that stops it. */
export function onNotificationClick(open: (path: string) => void): () => void {
  if (!("serviceWorker" in navigator)) {
    return () => undefined;
  }
  const hear = ({ data }: MessageEvent<{ readonly type?: string; readonly path?: string } | null>) => {
    if (data?.type === "open" && data.path !== undefined) {
      open(data.path);
    }
  };
  navigator.serviceWorker.addEventListener("message", hear);
  return () => navigator.serviceWorker.removeEventListener("message", hear);
}
