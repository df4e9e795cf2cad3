/** Notifications of the browser, while a page of ours is open. */
import { notificationMs } from "@prosa/contract/notifications";
import { useSyncExternalStore } from "react";
import { serviceWorker } from "./serviceWorker.ts";

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** The picture beside it. */
  readonly icon?: string;
  /** Where a click leads: `/tickets/{uuid}`, `/chats/{uuid}`. */
  readonly path: string;
}

export type Permission = NotificationPermission | "unsupported";

const listeners = new Set<() => void>();

export function currentPermission(): Permission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

export function usePermission(): Permission {
  return useSyncExternalStore(subscribe, currentPermission);
}

/** Asks the person; only as the answer to a click, or browsers refuse. */
export async function askPermission(): Promise<Permission> {
  const answer = "Notification" in window ? await Notification.requestPermission() : "unsupported";
  listeners.forEach((listener) => listener());
  return answer;
}

/**
 * Shows it for 3 s; where only the service worker may notify, until it is dismissed. A browser that cannot only leaves a line in its
 * log (specification 1, section 4).
 */
export function showNotice(notice: Notice, onOpen: (path: string) => void): void {
  if (currentPermission() === "unsupported") {
    say();
    return;
  }
  if (currentPermission() !== "granted") {
    return;
  }
  // The same tag as the server's push, so that one replaces the other.
  const options = { body: notice.body, tag: notice.path, icon: notice.icon ?? "/icon-192.png" };
  try {
    const shown = new Notification(notice.title, { ...options, silent: true });
    const timer = setTimeout(() => shown.close(), notificationMs);
    shown.addEventListener("click", () => {
      clearTimeout(timer);
      window.focus();
      shown.close();
      onOpen(notice.path);
    });
  } catch {
    // Chrome on Android has the constructor, but only service workers may notify; the worker answers the click.
    const data = { path: notice.path };
    serviceWorker()
      .then((worker) => (worker ? worker.showNotification(notice.title, { ...options, data }) : say()))
      .catch(say);
  }
}

function say(): void {
  console.log("This browser does not support notifications");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
