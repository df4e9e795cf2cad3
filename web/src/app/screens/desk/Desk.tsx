import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { MessagesSquare } from "lucide-react";
import { useEffect, useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { useParams } from "#web/lib/routing/router.tsx";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useFrameWish } from "#web/lib/browser/frame.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { NothingSelected, SideBySide } from "#web/ui/SideBySide.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { media } from "#web/ui/theme.ts";
import { ListPane } from "./ListPane.tsx";
import { LazyTicketPane } from "./LazyTicketPane.tsx";
import { useConversations } from "./useConversations.ts";

/** Below this width list and conversation are two tabs (T-01). */
const wideFrom = "(min-width: 900px)";

/** /tickets: the list on the left, the conversation on the right. */
export function Desk() {
  const t = useMessages(ticketMessages);
  const { ticketUuid } = useParams();
  const isWide = useMedia(wideFrom);
  const [narrowTab, setNarrowTab] = useState<"ticket" | "list">(ticketUuid ? "ticket" : "list");

  const isPhone = useMedia(media.phone);
  const isAlone = isPhone && ticketUuid !== undefined && narrowTab === "ticket";

  useConversations();
  useFrameWish({ isAlone });
  useEffect(() => setNarrowTab(ticketUuid ? "ticket" : "list"), [ticketUuid]);

  const open = ({ uuid }: Pick<Ticket, "uuid">, found?: FoundMessage) => {
    setNarrowTab("ticket");
    if (uuid === ticketUuid && !found) {
      return; // Back would need a second click to leave
    }
    navigate(`/tickets/${uuid}`, { state: found && { messageId: found.messageId } });
  };
  const leave = () => navigate("/tickets");

  const list = (
    <ListPane
      activeUuid={ticketUuid}
      onOpen={open}
      onOpenUuid={open}
      onStep={(ticket) => isWide && open(ticket)}
      onLeave={leave}
    />
  );
  const pane = ticketUuid ? (
    <LazyTicketPane key={ticketUuid} uuid={ticketUuid} onLeave={leave} isNarrow={!isWide} />
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
      isAlone={isAlone}
    />
  );
}
