import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { MessagesSquare } from "lucide-react";
import { Suspense, useState } from "react";
import { navigate, useLocation } from "#web/lib/routing/location.ts";
import { useParams } from "#web/lib/routing/router.tsx";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useOfferCommands } from "#web/lib/browser/commands.ts";
import { useFrameWish } from "#web/lib/browser/frame.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin, useCan } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { NothingSelected, SideBySide } from "#web/ui/SideBySide.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { media, size } from "#web/ui/theme.ts";
import { ListPane } from "./list/ListPane.tsx";
import { LazyTicketPane } from "./conversation/LazyTicketPane.tsx";
import { usePhoneBeside } from "./phoneBeside.ts";
import { useConversations } from "./list/useConversations.ts";

/** Below this width list and conversation are two tabs (T-01). */
const wideFrom = "(min-width: 900px)";
/** From this width the simulator's phone lies beside them; below it has a tab of its own. */
const besideFrom = "(min-width: 1200px)";

const NewTicketDialog = lateDialog(async () => (await import("./NewTicketDialog.tsx")).NewTicketDialog);
const EmptyDesk = lazyOrNothing(async () => (await import("./EmptyDesk.tsx")).EmptyDesk);
const WhileFirstSteps = lazyOrNothing(async () => (await import("./EmptyDesk.tsx")).WhileFirstSteps);
const PrefetchConversations = lazyOrNothing(
  async () => (await import("./list/PrefetchConversations.ts")).PrefetchConversations,
);
const PhonePane = lazyOrNothing(async () => (await import("./PhonePane.tsx")).PhonePane);

type Tab = "ticket" | "list" | "phone";

/** /tickets: the list on the left, the conversation on the right. */
export function Desk() {
  const t = useMessages(ticketMessages);
  const { ticketUuid } = useParams();
  const user = useUser();
  const mayHavePhone = useCan("connections-page:actionButtons");
  const phoneId = usePhoneBeside()?.connectionId;
  const hasPhone = mayHavePhone && phoneId !== undefined;
  const isRoomy = useMedia(besideFrom);
  // a phone without room beside them makes tabs of all three
  const isWide = useMedia(wideFrom) && (isRoomy || !hasPhone);
  const [narrowTab, setNarrowTab] = useTab(ticketUuid, hasPhone);
  const [wasGuided, setGuided] = useState(false);
  const [isNew, setNew] = useState(false);

  const isPhone = useMedia(media.phone);
  // with the simulator's phone open, its tab stays at hand
  const isAlone = isPhone && ticketUuid !== undefined && narrowTab === "ticket" && !hasPhone;

  useConversations();
  useFrameWish({
    isAlone,
    minWidth: hasPhone && isWide ? size.ticketList + size.conversation + size.phoneBeside : 0,
  });

  useOfferCommands([{ key: "ticket-new", label: t("newTicketLong"), run: () => setNew(true) }]);

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
      onNew={() => setNew(true)}
      onStep={(ticket) => isWide && open(ticket)}
      onLeave={leave}
    />
  );
  const pane = ticketUuid ? (
    <LazyTicketPane uuid={ticketUuid} onLeave={leave} isNarrow={!isWide} isSlim={hasPhone} />
  ) : (
    <NothingSelected>
      {isAdmin(user) ? (
        <Suspense>
          <EmptyDesk />
        </Suspense>
      ) : (
        <EmptyState icon={<MessagesSquare />} title={t("chooseTitle")} text={t("chooseText")} />
      )}
    </NothingSelected>
  );
  const beside = hasPhone
    ? {
        tab: "phone" as const,
        content: (
          <Suspense>
            <PhonePane isAlone={!isRoomy} />
          </Suspense>
        ),
      }
    : undefined;

  return (
    <>
      {!isWide && isAdmin(user) && narrowTab === "list" && !wasGuided && (
        <Suspense>
          <WhileFirstSteps
            onUndone={() => {
              setGuided(true);
              setNarrowTab("ticket");
            }}
          />
        </Suspense>
      )}
      <SideBySide
        isWide={isWide}
        list={list}
        pane={pane}
        tabsLabel={t("conversations")}
        tabs={[
          { key: "ticket", label: t("tabTicket") },
          { key: "list", label: t("tabList") },
          ...(beside ? [{ key: beside.tab, label: t("tabPhone") }] : []),
        ]}
        beside={beside}
        listTab="list"
        selected={narrowTab}
        onSelect={setNarrowTab}
        isAlone={isAlone}
      />
      {/* here, since a narrow screen has the list or the conversation */}
      <Suspense>
        <PrefetchConversations activeUuid={ticketUuid} />
      </Suspense>
      {isNew && <NewTicketDialog onOpen={open} onClose={() => setNew(false)} />}
    </>
  );
}

/**
 * The tab of a narrow screen: it follows the conversation that is opened or left, also by a notification of the one that another tab
 * covers, and the phone that is opened or closed.
 */
function useTab(ticketUuid: string | undefined, hasPhone: boolean) {
  const [tab, setTab] = useState<Tab>(ticketUuid ? "ticket" : hasPhone ? "phone" : "list");
  const place = useLocation();
  const [before, setBefore] = useState({ ticketUuid, hasPhone, place });
  const isOpened = before.ticketUuid !== ticketUuid || (before.place !== place && ticketUuid !== undefined);
  if (isOpened || before.hasPhone !== hasPhone) {
    setBefore({ ticketUuid, hasPhone, place });
    const hasJustOpened = hasPhone && !before.hasPhone;
    setTab(hasJustOpened ? "phone" : ticketUuid ? "ticket" : "list");
  }
  return [tab, setTab] as const;
}
