/** Slots of the shell: badges of menu entries, bells of the top bar, background components while signed in. */
import type { ComponentType } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useUser } from "#web/lib/session/session.ts";
import type { MenuKey } from "./menu.ts";
import { ConnectionsBadge } from "./ConnectionsBadge.tsx";

// The shell works without any of them: what cannot be fetched takes neither the menu nor the screen away.
const TicketBell = lazyOrNothing(async () => (await import("#web/app/notifications/TicketBell.tsx")).TicketBell);
const AnnouncementBell = lazyOrNothing(
  async () => (await import("#web/app/notifications/AnnouncementBell.ts")).AnnouncementBell,
);
const ChatBell = lazyOrNothing(async () => (await import("#web/app/notifications/ChatBell.tsx")).ChatBell);
const ChatDot = lazyOrNothing(async () => (await import("#web/app/notifications/ChatBell.tsx")).ChatDot);
const MessageNotifier = lazyOrNothing(
  async () => (await import("#web/app/notifications/MessageNotifier.tsx")).MessageNotifier,
);
const KeptConversations = lazyOrNothing(
  async () => (await import("#web/app/kept/KeptConversations.ts")).KeptConversations,
);
const Notices = lazyOrNothing(async () => (await import("#web/app/notifications/Notices.tsx")).Notices);

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
