import { rings } from "@prosa/contract/notifications";
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { lastMessageText, ticketMessages } from "#web/features/tickets/index.ts";
import { currentLanguage, translator } from "#web/lib/i18n.ts";
import { useUser } from "#web/lib/session.ts";
import { muted } from "#web/lib/userList.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { showNotice } from "./browserNotification.ts";
import { chime, readyChime } from "./chime.ts";
import { isFirstToSay } from "./oneTab.ts";
import { renewDevice } from "./pushDevice.ts";
import { ringableOf } from "./ringable.ts";
import { onOpenWish, serviceWorker } from "./serviceWorker.ts";

/** Rings and shows a notification for a new message, by the conditions of `rings` (N-01). Has no face. */
export function Ringing() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const latest = useRef({ pathname, navigate });
  useEffect(() => {
    latest.current = { pathname, navigate };
  });

  const { id } = useUser();

  useEffect(readyChime, []);
  useEffect(() => onOpenWish((path) => void latest.current.navigate(path)), []);
  useEffect(() => {
    // Nothing of it is needed now; a server that does not answer is asked again at the next start.
    serviceWorker()
      .then(() => renewDevice(id))
      .catch(() => undefined);
  }, [id]);
  useEffect(
    () =>
      registerRealtime({
        appMessage: (event, _, user) => {
          if (event.action !== "create" || muted.has(user.id)) {
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
