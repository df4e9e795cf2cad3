import type { WirePayload } from "@prosa/contract/events";
import { shouldNotify } from "@prosa/contract/notifications";
import { useEffect, useRef } from "react";
import { leaveFor } from "#web/lib/browser/leave-guard.ts";
import { isConversationVisible } from "#web/lib/browser/shown-conversation.ts";
import { unreadOf } from "#web/features/chats/index.ts";
import { lastMessagePreview, ticketMessages } from "#web/features/tickets/index.ts";
import { currentLanguage, translator, type Translate } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import { useUser } from "#web/lib/session/session.ts";
import { muted } from "#web/lib/session/userList.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { toast } from "#web/ui/Toast.tsx";
import { showNotice, type Notice } from "./browserNotification.ts";
import { chime, readyChime } from "./chime.ts";
import { firstTimes } from "./first-time.ts";
import { isFirstTab } from "./firstTab.ts";
import { renewDevice } from "./pushDevice.ts";
import { notificationMessages } from "./notifications.i18n.ts";
import { notificationRecipientOf } from "./notificationRecipient.ts";
import { onNotificationClick, serviceWorker } from "./serviceWorker.ts";

/**
 * Plays a sound and shows a notification for a new message of a ticket (`shouldNotify`, N-01) or chat (N-03), and for a ticket
 * that a colleague transferred to this user, who also gets a toast (T-14). Renders nothing.
 */
export function MessageNotifier() {
  const { id } = useUser();
  const lastChatMessage = useRef(0);

  useEffect(readyChime, []);
  useEffect(() => onNotificationClick(leaveFor), []);
  useEffect(() => {
    // Not needed yet; retried at the next start when the server does not answer.
    serviceWorker()
      .then(() => renewDevice(id))
      .catch(() => undefined);
  }, [id]);
  useEffect(() => {
    const isFirstTime = firstTimes();
    /** Notifies in one tab only, and in none when one of them shows the conversation. */
    const ring = (name: string, uuid: string, notice: Notice) => {
      const isVisible = isConversationVisible(uuid);
      void isFirstTab(name, isVisible).then((isFirst) => {
        if (isFirst && !isVisible) {
          chime();
          showNotice(notice, leaveFor);
        }
      });
    };
    return registerRealtime({
      appMessage: (event, _, user) => {
        if (event.action !== "create" || muted.has(user.id)) {
          return;
        }
        const { message, ticket } = event;
        if (!shouldNotify(notificationRecipientOf(user), message, ticket, false)) {
          return;
        }
        if (!isFirstTime(`message.${message.id}`)) {
          return;
        }
        const { contact } = ticket;
        const words = translator(ticketMessages, currentLanguage());
        ring(String(message.id), ticket.uuid, {
          title: contact.name || contact.number,
          body: lastMessagePreview({ lastMessage: message.body, lastMessageType: message.mediaType }, words),
          ...(contact.profilePicUrl !== null && { icon: contact.profilePicUrl }),
          path: `/tickets/${ticket.uuid}`,
        });
      },
      ticketTransfer: (event, _, user) => {
        const { ticket, note } = event;
        const name = `transfer.${ticket.id}.${ticket.version}`;
        if (!isFirstTime(name)) {
          return;
        }
        const t = translator(notificationMessages, currentLanguage());
        const title = transferTitle(event, t);
        const path = `/tickets/${ticket.uuid}`;
        if (document.visibilityState === "visible") {
          const text = note === null ? title : `${title}: ${oneLine(note)}`;
          toast.info(text, { label: t("openTransferred"), run: () => leaveFor(path) });
        }
        if (!muted.has(user.id)) {
          ring(name, ticket.uuid, { title, body: note ?? "", path });
        }
      },
      chat: (event, _, user) => {
        // The event arrives under two names and is replayed on reconnect: skip messages that were notified or read.
        if (event.action !== "new-message" || event.newMessage.id <= lastChatMessage.current) {
          return;
        }
        const { newMessage, chat } = event;
        lastChatMessage.current = newMessage.id;
        if (newMessage.senderId !== user.id && unreadOf(chat, user.id) > 0 && !muted.has(user.id)) {
          ring(`chat.${newMessage.id}`, chat.uuid, {
            title: `${newMessage.sender.name} · ${chat.title}`,
            body: stripFormatting(newMessage.message),
            path: `/chats/${chat.uuid}`,
          });
        }
      },
    });
  }, []);
  return null;
}

function transferTitle(
  { ticket, from, count }: WirePayload<"ticketTransfer">,
  t: Translate<(typeof notificationMessages)["pt"]>,
): string {
  if (count > 1) {
    return from ? t("manyTransferredToYou", { from: from.name, count }) : t("manyTransferred", { count });
  }
  const name = ticket.contact.name || ticket.contact.number;
  return from ? t("transferredToYou", { from: from.name, name }) : t("transferred", { name });
}

/** As much of a note as a toast holds. */
function oneLine(note: string): string {
  const line = note.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
