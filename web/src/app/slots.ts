/** Where features plug into the shell: marks beside menu entries, bells in the top bar, work that runs while signed in. */
import { lazy, type ComponentType } from "react";
import type { MenuKey } from "./menu.ts";
import { ConnectionsBadge } from "./ConnectionsBadge.tsx";

const TicketBell = lazy(async () => ({ default: (await import("./notifications/TicketBell.tsx")).TicketBell }));
const AnnouncementBell = lazy(async () => ({
  default: (await import("./notifications/AnnouncementBell.ts")).AnnouncementBell,
}));
const ChatBell = lazy(async () => ({ default: (await import("./notifications/ChatBell.tsx")).ChatBell }));
const ChatDot = lazy(async () => ({ default: (await import("./notifications/ChatBell.tsx")).ChatDot }));
const Ringing = lazy(async () => ({ default: (await import("./notifications/Ringing.tsx")).Ringing }));

/** A mark at the right end of an entry: a count, "!" or a dot. */
export const menuMarks: Readonly<Partial<Record<MenuKey, ComponentType>>> = {
  connections: ConnectionsBadge,
  chats: ChatDot,
};

/** Bells, left to right: tickets, announcements, chats. Each may come when its chunk is there. */
export const topBarBells: readonly ComponentType[] = [TicketBell, AnnouncementBell, ChatBell];

/** Components without a face, mounted once while somebody is signed in: sounds, notifications. */
export const residents: readonly ComponentType[] = [Ringing];
