import { styled } from "#web/ui/styled.ts";
import type { Ticket } from "@prosa/contract/tickets";
import { Bell, BellOff, BellRing } from "lucide-react";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { lastMessageText, ticketMessages } from "#web/features/tickets/index.ts";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { muted } from "#web/lib/userList.ts";
import { useUser } from "#web/lib/session.ts";
import { showWaiting } from "#web/lib/title.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Badge, Chip } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Popover } from "#web/ui/Menu.tsx";
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
  const navigate = useNavigate();

  useEffect(() => {
    showWaiting(tickets.length);
  }, [tickets.length]);
  useEffect(() => () => showWaiting(0), []);

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
          <Head>
            <h2>{t("bell")}</h2>
            <IconButton
              size="small"
              label={isSilent ? t("unmute") : t("mute")}
              isOn={isSilent}
              onClick={() => muted.set(user.id, !isSilent)}
            >
              {isSilent ? <BellOff /> : <BellRing />}
            </IconButton>
          </Head>
          <Allow />
          {tickets.length === 0 ? (
            <Nothing>
              <b>{t("nothing")}</b>
              <span>{t("nothingText")}</span>
            </Nothing>
          ) : (
            <List>
              {tickets.map((ticket) => (
                <li key={ticket.id}>
                  <UnreadTicket
                    ticket={ticket}
                    onOpen={() => {
                      close();
                      void navigate(`/tickets/${ticket.uuid}`);
                    }}
                  />
                </li>
              ))}
            </List>
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
  const format = useFormat();
  const name = ticket.contact.name || ticket.contact.number;
  return (
    <Row type="button" onClick={onOpen}>
      <Avatar name={name} image={ticket.contact.profilePicUrl} size={34} />
      <span>
        <b>{name}</b>
        <small>{lastMessageText(ticket, words)}</small>
        {ticket.status === "pending" && <Chip>{t("waiting")}</Chip>}
      </span>
      <Side>
        <small>{format.listTime(ticket.lastMessageAt ?? ticket.createdAt)}</small>
        <Badge value={ticket.unreadMessages} />
      </Side>
    </Row>
  );
}

const Head = styled("header")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  padding: "8px 8px 8px 14px",
  borderBottom: `1px solid ${color.line}`,
  "& h2": { margin: 0, fontSize: 14, fontWeight: 600 },
});
const Ask = styled("div")({
  padding: "10px 14px",
  borderBottom: `1px solid ${color.line}`,
  "& button": { width: "100%" },
});
const Nothing = styled("p")({
  display: "flex",
  flexDirection: "column",
  gap: 4,
  margin: 0,
  padding: "28px 20px",
  textAlign: "center",
  "& span": { color: color.ink2 },
});
const List = styled("ul")({ margin: 0, padding: 6, listStyle: "none", maxHeight: 420, overflowY: "auto" });
const Row = styled("button")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: "100%",
  padding: 8,
  border: 0,
  borderRadius: 8,
  background: "none",
  color: "inherit",
  font: "inherit",
  textAlign: "left",
  cursor: "pointer",
  "&:hover": { backgroundColor: color.hover },
  "& > span:nth-of-type(2)": {
    flex: 1,
    minWidth: 0,
    display: "flex",
    flexDirection: "column",
    alignItems: "flex-start",
    gap: 2,
  },
  "& b, & span > small": {
    maxWidth: "100%",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  "& b": { fontWeight: 600 },
  "& small": { fontSize: 12, color: color.ink2 },
});
const Side = styled("span")({ flex: "none", display: "flex", flexDirection: "column", alignItems: "flex-end", gap: 3 });
