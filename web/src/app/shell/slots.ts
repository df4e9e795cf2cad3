/** Slots of the shell: badges of menu entries, bells of the top bar, background components while signed in. */
import { lazy, type ComponentType } from "react";
import type { MenuKey } from "./menu.ts";
import { ConnectionsBadge } from "./ConnectionsBadge.tsx";

const TicketBell = lazy(async () => ({ default: (await import("#web/app/notifications/TicketBell.tsx")).TicketBell }));
const AnnouncementBell = lazy(async () => ({
  default: (await import("#web/app/notifications/AnnouncementBell.ts")).AnnouncementBell,
}));
const ChatBell = lazy(async () => ({ default: (await import("#web/app/notifications/ChatBell.tsx")).ChatBell }));
const ChatDot = lazy(async () => ({ default: (await import("#web/app/notifications/ChatBell.tsx")).ChatDot }));
const MessageNotifier = lazy(async () => ({
  default: (await import("#web/app/notifications/MessageNotifier.tsx")).MessageNotifier,
}));

const KeptConversations = lazy(async () => ({
  default: (await import("#web/app/kept/KeptConversations.ts")).KeptConversations,
}));

const Notices = lazy(async () => ({ default: (await import("#web/app/notifications/Notices.tsx")).Notices }));

/** A badge at the right end of an entry: a count, "!" or a dot. */
export const menuMarks: Readonly<Partial<Record<MenuKey, ComponentType>>> = {
  connections: ConnectionsBadge,
  chats: ChatDot,
};

/** Bells, left to right: tickets, announcements, chats. Each appears when its chunk is loaded. */
export const topBarBells: readonly ComponentType[] = [TicketBell, AnnouncementBell, ChatBell];

/** Components without output, mounted once while signed in: sounds, notifications, what the browser keeps. */
export const backgroundComponents: readonly ComponentType[] = [MessageNotifier, KeptConversations, Notices];
