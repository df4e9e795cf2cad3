import { styled } from "#web/ui/styled.ts";
import type { Ticket } from "@prosa/contract/tickets";
import { Bell, BellOff, BellRing } from "lucide-react";
import { useEffect } from "react";
import { leaveFor } from "#web/lib/browser/leave-guard.ts";
import { lastMessageLine, ticketMessages } from "#web/features/tickets/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { muted } from "#web/lib/session/userList.ts";
import { useUser } from "#web/lib/session/session.ts";
import { showWaitingCount } from "#web/lib/browser/title.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { BellHead, BellList, BellEmpty, BellRow } from "#web/ui/BellPanel.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Badge, Chip } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Popover } from "#web/ui/Popover.tsx";
import { color } from "#web/ui/theme.ts";
import { askPermission, usePermission } from "./browserNotification.ts";
import { notificationMessages } from "./notifications.i18n.ts";
import { useUnreadTickets } from "./useUnreadTickets.ts";

/** The ticket bell of the top bar (S-04, N-02): how many conversations wait for an answer, and which. */
export function TicketBell() {
  const t = useMessages(notificationMessages);
  const user = useUser();
  const isSilent = muted.useHas(user.id);
  const { tickets } = useUnreadTickets();

  useEffect(() => {
    showWaitingCount(tickets.length);
  }, [tickets.length]);
  useEffect(() => () => showWaitingCount(0), []);

  return (
    <Popover
      label={t("bell")}
      opener={(opener) => (
        <IconButton label={t("bell")} badge={tickets.length} {...opener}>
          {isSilent ? <BellOff /> : <Bell />}
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <BellHead>
            <h2>{t("bell")}</h2>
            <IconButton
              size="small"
              label={isSilent ? t("unmute") : t("mute")}
              isOn={isSilent}
              onClick={() => muted.set(user.id, !isSilent)}
            >
              {isSilent ? <BellOff /> : <BellRing />}
            </IconButton>
          </BellHead>
          <Allow />
          {tickets.length === 0 ? (
            <BellEmpty title={t("nothing")} text={t("nothingText")} />
          ) : (
            <BellList>
              {tickets.map((ticket) => (
                <li key={ticket.id}>
                  <UnreadTicket
                    ticket={ticket}
                    onOpen={() => {
                      close();
                      leaveFor(`/tickets/${ticket.uuid}`);
                    }}
                  />
                </li>
              ))}
            </BellList>
          )}
        </>
      )}
    </Popover>
  );
}

/** Offered while the browser has not been asked yet. */
function Allow() {
  const t = useMessages(notificationMessages);
  const permission = usePermission();
  return permission === "default" ? (
    <Ask>
      <Button onClick={() => void askPermission()}>{t("allow")}</Button>
    </Ask>
  ) : null;
}

function UnreadTicket({ ticket, onOpen }: { readonly ticket: Ticket; readonly onOpen: () => void }) {
  const t = useMessages(notificationMessages);
  const words = useMessages(ticketMessages);
  const { id: myId } = useUser();
  const format = useFormat();
  const name = ticket.contact.name || ticket.contact.number;
  return (
    <BellRow
      mark={<Avatar name={name} image={ticket.contact.profilePicUrl} size={34} />}
      title={name}
      text={lastMessageLine(ticket, myId, words)}
      side={
        <>
          <small>{format.listTime(ticket.lastMessageAt ?? ticket.createdAt)}</small>
          <Badge value={ticket.unreadMessages} />
        </>
      }
      onOpen={onOpen}
    >
      {ticket.status === "pending" && <Chip>{t("waiting")}</Chip>}
    </BellRow>
  );
}

const Ask = styled("div")({
  padding: "10px 14px",
  borderBottom: `1px solid ${color.line}`,
  "& button": { width: "100%" },
});
