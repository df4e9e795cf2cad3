/** Notifications of the browser, while a page of ours is open. */
import { notificationMs } from "@prosa/contract/notifications";
import { useSyncExternalStore } from "react";

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

/** Shows it for 3 s. A browser that cannot only leaves a line in its log (specification 1, section 4). */
export function showNotice(notice: Notice, onOpen: (path: string) => void): void {
  if (currentPermission() === "unsupported") {
    say();
    return;
  }
  if (currentPermission() !== "granted") {
    return;
  }
  try {
    // The same tag as the server's push, so that one replaces the other.
    const shown = new Notification(notice.title, {
      body: notice.body,
      tag: notice.path,
      icon: notice.icon ?? "/icon-192.png",
      silent: true,
    });
    const timer = setTimeout(() => shown.close(), notificationMs);
    shown.addEventListener("click", () => {
      clearTimeout(timer);
      window.focus();
      shown.close();
      onOpen(notice.path);
    });
  } catch {
    // Chrome on Android has the constructor, but only service workers may use it.
    say();
  }
}

function say(): void {
  console.log("This browser does not support notifications");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
