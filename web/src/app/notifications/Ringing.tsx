import { rings } from "@prosa/contract/notifications";
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { lastMessageText, ticketMessages } from "#web/features/tickets/index.ts";
import { currentLanguage, translator } from "#web/lib/i18n.ts";
import { isMuted } from "#web/lib/muted.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { showNotice } from "./browserNotification.ts";
import { chime, readyChime } from "./chime.ts";
import { isFirstToSay } from "./oneTab.ts";
import { ringableOf } from "./ringable.ts";

/** Rings and shows a notification for a new message, by the conditions of `rings` (N-01). Has no face. */
export function Ringing() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const latest = useRef({ pathname, navigate });
  useEffect(() => {
    latest.current = { pathname, navigate };
  });

  useEffect(readyChime, []);
  useEffect(
    () =>
      registerRealtime({
        appMessage: (event, _, user) => {
          if (event.action !== "create" || isMuted(user.id)) {
            return;
          }
          const { message, ticket } = event;
          if (!rings(ringableOf(user), message, ticket, false)) {
            return;
          }
          const path = `/tickets/${ticket.uuid}`;
          const isBeforeMyEyes = latest.current.pathname === path && document.visibilityState === "visible";
          void isFirstToSay(String(message.id)).then((isFirst) => {
            if (isFirst && rings(ringableOf(user), message, ticket, isBeforeMyEyes)) {
              chime();
              const words = translator(ticketMessages, currentLanguage());
              const { contact } = ticket;
              showNotice(
                {
                  title: contact.name || contact.number,
                  body: lastMessageText({ lastMessage: message.body, lastMessageType: message.mediaType }, words),
                  ...(contact.profilePicUrl !== null && { icon: contact.profilePicUrl }),
                  path,
                },
                (to) => void latest.current.navigate(to),
              );
            }
          });
        },
      }),
    [],
  );
  return null;
}
