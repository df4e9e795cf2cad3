/** Slots of the shell: badges of menu entries, bells of the top bar, background components while signed in. */
import { lazy, type ComponentType } from "react";
import { useUser } from "#web/lib/session/session.ts";
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

interface Slots {
  /** A badge at the right end of an entry: a count, "!" or a dot. */
  readonly marks: Readonly<Partial<Record<MenuKey, ComponentType>>>;
  /** Left to right: tickets, announcements, chats. Each appears when its chunk is loaded. */
  readonly bells: readonly ComponentType[];
  /** Without output, mounted once while signed in: sounds, notifications, what the browser keeps. */
  readonly background: readonly ComponentType[];
}

const open: Slots = {
  marks: { connections: ConnectionsBadge, chats: ChatDot },
  bells: [TicketBell, AnnouncementBell, ChatBell],
  background: [MessageNotifier, KeptConversations, Notices],
};

/** A closed company is answered nothing that the others would ask for. */
const closed: Slots = { marks: {}, bells: [AnnouncementBell], background: [Notices] };

export function useSlots(): Slots {
  return useUser().company.isClosed ? closed : open;
}
