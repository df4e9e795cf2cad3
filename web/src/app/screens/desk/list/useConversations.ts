import { useEffect } from "react";
import { messagesRealtime, openOutbox, prefetchComposerWhenIdle } from "#web/features/messages/index.ts";
import { notesRealtime } from "#web/features/notes/index.ts";
import { quickMessagesRealtime } from "#web/features/quick-messages/index.ts";
import { queueChoicesRealtime } from "#web/features/queues/index.ts";
import { ticketsRealtime } from "#web/features/tickets/index.ts";
import { drafts } from "#web/lib/browser/drafts.ts";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { prefetchTicketPaneWhenIdle } from "#web/app/screens/desk/conversation/LazyTicketPane.tsx";

registerRealtime(ticketsRealtime);
registerRealtime(messagesRealtime);
registerRealtime(notesRealtime);
registerRealtime(quickMessagesRealtime);
registerRealtime(queueChoicesRealtime);

/** What every screen with a `TicketPane` needs: live updates, the outbox, and the pane's later chunks fetched when idle. */
export function useConversations(): void {
  const { id } = useUser();
  useEffect(prefetchComposerWhenIdle, []);
  useEffect(() => openOutbox(id), [id]);
  useEffect(prefetchTicketPaneWhenIdle, []);
  useEffect(() => whenIdle(drafts.sweep), []);
}
