import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { useParams } from "#web/lib/routing/router.tsx";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useMedia, useShortcut } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { NothingSelected, SideBySide } from "#web/ui/SideBySide.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { ListPane } from "./ListPane.tsx";
import { TicketPane } from "./TicketPane.tsx";
import { useConversations } from "./useConversations.ts";

/** Below this width list and conversation are two tabs (T-01). */
const wideFrom = "(min-width: 900px)";

/** /tickets: the list on the left, the conversation on the right. */
export function Desk() {
  const t = useMessages(ticketMessages);
  const { ticketUuid } = useParams();
  const isWide = useMedia(wideFrom);
  const rows = useRef<readonly Ticket[]>([]);
  const [narrowTab, setNarrowTab] = useState<"ticket" | "list">(ticketUuid ? "ticket" : "list");

  useConversations();
  useEffect(() => setNarrowTab(ticketUuid ? "ticket" : "list"), [ticketUuid]);

  const open = ({ uuid }: Pick<Ticket, "uuid">, found?: FoundMessage) => {
    setNarrowTab("ticket");
    navigate(`/tickets/${uuid}`, { state: found && { messageId: found.messageId } });
  };
  const leave = () => navigate("/tickets");
  const openNeighbour = (by: number) => {
    const openable = rows.current.filter((ticket) => ticket.status !== "pending");
    const at = openable.findIndex((ticket) => ticket.uuid === ticketUuid);
    const next = openable[at === -1 ? 0 : Math.min(Math.max(at + by, 0), openable.length - 1)];
    if (next) {
      open(next);
    }
  };
  useShortcut(shortcuts.next, () => openNeighbour(1));
  useShortcut(shortcuts.previous, () => openNeighbour(-1));

  const list = (
    <ListPane
      activeUuid={ticketUuid}
      onOpen={open}
      onOpenUuid={open}
      onLeave={leave}
      onRows={(next) => {
        rows.current = next;
      }}
    />
  );
  const pane = ticketUuid ? (
    <TicketPane key={ticketUuid} uuid={ticketUuid} onLeave={leave} isNarrow={!isWide} />
  ) : (
    <NothingSelected>
      <EmptyState icon={<MessagesSquare />} title={t("chooseTitle")} text={t("chooseText")} />
    </NothingSelected>
  );

  return (
    <SideBySide
      isWide={isWide}
      list={list}
      pane={pane}
      tabsLabel={t("conversations")}
      tabs={[
        { key: "ticket", label: t("tabTicket") },
        { key: "list", label: t("tabList") },
      ]}
      listTab="list"
      selected={narrowTab}
      onSelect={setNarrowTab}
    />
  );
}
