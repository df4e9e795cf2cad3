import { styled } from "#web/ui/styled.ts";
import { maxSearchLetters } from "@prosa/contract/common";
import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { memo, Suspense, useEffect, useRef, useState } from "react";
import {
  canAct,
  canWrite,
  focusedTicketId,
  focusRow,
  opensTicket,
  TicketListView,
  ticketCountsOptions,
  ticketInLists,
  ticketMessages,
  ticketOptions,
  useTicketSelection,
  useRowVerb,
  viewerOf,
  type TicketVerb,
} from "#web/features/tickets/index.ts";
import { useConnectionStates } from "#web/features/connections/index.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { renewComposerFocus, requestComposerFocus } from "#web/features/messages/index.ts";
import { useShortcut } from "#web/lib/browser/hooks.ts";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useRoom } from "#web/lib/realtime/socket.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { Button } from "#web/ui/Button.tsx";
import { Input, Switch } from "#web/ui/fields/Field.tsx";
import { Tabs } from "#web/ui/Tabs.tsx";
import { color, media, size } from "#web/ui/theme.ts";
import { QueueFilter } from "./QueueFilter.tsx";
import { WaitingOrder } from "./WaitingOrder.tsx";
import { followAccepted, useDeskList } from "./useDeskList.ts";
import type { DeskTab, OpenTab } from "./desk-memory.ts";
import { useVerbToasts } from "#web/app/screens/desk/conversation/useVerbToasts.ts";

const BulkBar = lazyOrNothing(async () => (await import("./BulkBar.tsx")).BulkBar);
const EmptyList = lazyOrNothing(async () => (await import("./EmptyList.tsx")).EmptyList);
const SearchFilters = lazyOrNothing(async () => (await import("./SearchFilters.tsx")).SearchFilters);

const searchFieldId = "desk-search";

/** The left side of the desk: tabs, filters and the ticket list. */
export function ListPane(props: {
  readonly activeUuid: string | undefined;
  /** With the message to jump to, if a search found one. */
  readonly onOpen: (ticket: Ticket, found?: FoundMessage) => void;
  /** Asks whom a new conversation is with. */
  readonly onNew: () => void;
  /** J, K or an arrow moved the focus to this row: it is shown beside, if there is room. */
  readonly onStep: (ticket: Ticket) => void;
  readonly onLeave: () => void;
}) {
  const t = useMessages(ticketMessages);
  const user = useUser();
  const viewer = viewerOf(user);
  const queryClient = useQueryClient();
  const desk = useDeskList();
  const rowVerb = useRowVerb(user.id);
  const verbToasts = useVerbToasts();
  const connections = useConnectionStates();
  const counts = useQuery(ticketCountsOptions(desk.list.showAll, desk.queueIds)).data;

  useShowWaiting(props.activeUuid, desk);
  const selection = useTicketSelection(JSON.stringify(desk.list));
  const [transferring, setTransferring] = useState<readonly Ticket[]>();
  const onOpen = useStableCallback(props.onOpen);
  const runVerb = async (name: TicketVerb, ticket: Ticket) => {
    if (opensTicket(name)) {
      requestComposerFocus(ticket.id);
    }
    try {
      const { changed, isToOpen } = await rowVerb(name, ticket);
      verbToasts.done(name, changed, ticket);
      if (isToOpen) {
        renewComposerFocus(changed.id);
        onOpen(changed);
      } else if (changed.status !== "open" && location.pathname === `/tickets/${changed.uuid}`) {
        props.onLeave();
      }
      if (name === "accept") {
        followAccepted(user.id);
      }
    } catch (error) {
      verbToasts.failed(error as Error, ticket.id);
    }
  };
  const open = (ticket: Ticket, found?: FoundMessage) => {
    if (canWrite(viewer, ticket)) {
      requestComposerFocus(ticket.id);
    } else {
      // What waits is previewed: Enter on its row accepts it.
      focusRow(ticket.id);
    }
    props.onOpen(ticket, found);
  };
  useShortcut(shortcuts.choose, ({ shiftKey }) => {
    const id = focusedTicketId() ?? (props.activeUuid && ticketInLists(queryClient, props.activeUuid)?.id);
    if (typeof id === "number") {
      selection.toggle(id, shiftKey);
    }
  });

  useRoom("joinTickets", "open");
  useRoom("joinTickets", "pending");
  useRoom("joinTickets", "closed", desk.tab !== "open");
  useShortcut(shortcuts.search, () => {
    desk.setTab("search");
    requestAnimationFrame(() => document.getElementById(searchFieldId)?.focus());
  });

  const empty = (
    <Suspense>
      <EmptyList desk={desk} />
    </Suspense>
  );
  return (
    <>
      <ListHead
        tab={desk.tab}
        onTab={desk.setTab}
        queueIds={desk.queueIds}
        onQueueIds={desk.setQueueIds}
        onNew={useStableCallback(props.onNew)}
      />
      {desk.tab === "search" && (
        <SearchLine>
          <Search aria-hidden size={16} />
          <Input
            id={searchFieldId}
            type="search"
            autoFocus
            value={desk.search.text}
            maxLength={maxSearchLetters}
            placeholder={t("searchLabel")}
            aria-label={t("searchLabel")}
            onChange={(event) => desk.search.setText(event.target.value)}
          />
        </SearchLine>
      )}
      {(selection.tickets.length > 0 || transferring) && (
        <Suspense fallback={<Filters />}>
          <BulkBar
            selection={selection}
            transferring={transferring}
            onTransferring={setTransferring}
            onMoved={(moved) => moved.some(({ uuid }) => uuid === props.activeUuid) && props.onLeave()}
          />
        </Suspense>
      )}
      <Filters hidden={selection.tickets.length > 0 || desk.tab === "closed"}>
        {desk.tab === "open" && (
          <StateTabs
            selected={desk.openTab}
            onSelect={desk.setOpenTab}
            openCount={counts?.open}
            pendingCount={counts?.pending}
          />
        )}
        {desk.tab === "search" && (
          <Suspense>
            <SearchFilters desk={desk} />
          </Suspense>
        )}
        <Push />
        {desk.isWaiting && <WaitingOrder order={desk.waitingOrder} onChange={desk.setWaitingOrder} />}
        {desk.holdsShowAll && desk.isServing && <ShowAllSwitch isOn={desk.showAll} onSwitch={desk.setShowAll} />}
      </Filters>
      {desk.isSearchEmpty ? (
        empty
      ) : (
        <TicketListView
          key={JSON.stringify(desk.list)}
          list={desk.list}
          total={desk.tab === "open" ? counts?.[desk.openTab] : undefined}
          activeUuid={props.activeUuid}
          showsConnection={connections === undefined || connections.length > 1}
          canActOn={(ticket) => canAct(viewer, ticket)}
          onOpen={open}
          onEnter={(ticket, found) =>
            // who searches wants to read what was found
            ticket.status === "pending" && desk.tab !== "search" ? void runVerb("accept", ticket) : open(ticket, found)
          }
          onStep={props.onStep}
          onVerb={(name, ticket) => void runVerb(name, ticket)}
          selection={selection}
          onRows={selection.onRows}
          empty={empty}
        />
      )}
    </>
  );
}

/** A waiting conversation that is opened from elsewhere, such as by its address, shows the list where it is. */
function useShowWaiting(uuid: string | undefined, desk: ReturnType<typeof useDeskList>): void {
  const queryClient = useQueryClient();
  const { data: ticket, isStale } = useQuery({
    ...ticketOptions(uuid ?? ""),
    // as the conversation asks for it
    initialData: () => ticketInLists(queryClient, uuid ?? ""),
    initialDataUpdatedAt: 0,
    enabled: uuid !== undefined,
  });
  // What the browser kept may be of another day: the list follows what is known now.
  const status = isStale ? undefined : ticket?.status;
  const { tab, setTab, openTab, setOpenTab } = desk;
  const list = `${tab}/${openTab}`;
  /** What was opened, which list was shown then, and whether the list has followed: once, unless the user has chosen another since. */
  const opened = useRef({ uuid: "", list, isDone: true });
  useEffect(() => {
    if (uuid !== undefined && opened.current.uuid !== uuid) {
      opened.current = { uuid, list, isDone: false };
    }
    if (status !== undefined && !opened.current.isDone) {
      opened.current.isDone = true;
      if (status === "pending" && opened.current.list === list && tab !== "search") {
        setTab("open");
        setOpenTab("pending");
      }
    }
  }, [uuid, status, list, tab, setTab, setOpenTab]);
}

/** Lists, queues, a new conversation: not rendered with each conversation that is opened. */
const ListHead = memo(function ListHead(props: {
  readonly tab: DeskTab;
  readonly onTab: (tab: DeskTab) => void;
  readonly queueIds: readonly number[];
  readonly onQueueIds: (ids: readonly number[]) => void;
  readonly onNew: () => void;
}) {
  const t = useMessages(ticketMessages);
  return (
    <Head>
      <Tabs
        label={t("listOf")}
        tabs={[
          { key: "open", label: t("tabOpen") },
          { key: "closed", label: t("tabClosed") },
          { key: "search", label: t("tabSearch") },
        ]}
        selected={props.tab}
        onSelect={props.onTab}
      />
      <Push />
      <QueueFilter chosen={props.queueIds} onChange={props.onQueueIds} />
      <Button kind="primary" aria-label={t("newTicketLong")} onClick={props.onNew}>
        {t("newTicket")}
      </Button>
    </Head>
  );
});

const ShowAllSwitch = memo(function ShowAllSwitch(props: {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}) {
  const t = useMessages(ticketMessages);
  return (
    <ShowAll title={t("showAllHint")}>
      <Switch checked={props.isOn} onChange={(event) => props.onSwitch(event.target.checked)} />
      <span>{t("showAll")}</span>
    </ShowAll>
  );
});

const StateTabs = memo(function StateTabs({
  openCount,
  pendingCount,
  ...props
}: {
  readonly selected: OpenTab;
  readonly onSelect: (tab: OpenTab) => void;
  readonly openCount: number | undefined;
  readonly pendingCount: number | undefined;
}) {
  const t = useMessages(ticketMessages);
  return (
    <Tabs
      look="pill"
      label={t("stateOf")}
      tabs={[
        { key: "open", label: <Counted label={t("subOpen")} count={openCount} /> },
        { key: "pending", label: <Counted label={t("subPending")} count={pendingCount} /> },
      ]}
      {...props}
    />
  );
});

/** A tab's name and count; while the count is loaded, or where it failed, no number is claimed. */
function Counted({ label, count }: { readonly label: string; readonly count: number | undefined }) {
  return (
    <>
      {label}
      <b>{count ?? "–"}</b>
    </>
  );
}

const Head = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 6,
  minHeight: 59,
  padding: "8px 12px 0 10px",
  borderBottom: `1px solid ${color.line}`,
  [media.coarse]: { minHeight: 52, paddingTop: 0 },
});
const Filters = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 5,
  minHeight: 45,
  padding: "8px 12px",
  // the number of lists and filters is larger than the room beside a laptop's conversation
  "& > [role=tablist]": { flex: "none", gap: 5 },
  "& [role=tab]": { gap: 6, paddingInline: 9 },
  borderBottom: `1px solid ${color.line}`,
  "&[hidden]": { display: "none" },
  [media.coarse]: { paddingBlock: 0 },
});
const Push = styled("span")({ flex: "1 1 0" });
const ShowAll = styled("label")({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "flex-end",
  alignItems: "center",
  columnGap: 6,
  minWidth: 36,
  height: 26,
  lineHeight: "26px",
  // Where the word has no room beside the switch it wraps out of sight; the name stays.
  overflow: "hidden",
  fontSize: 12,
  color: color.ink2,
  cursor: "pointer",
  whiteSpace: "nowrap",
  [media.coarse]: { minWidth: size.finger, height: size.finger, lineHeight: `${size.finger}px` },
});
const SearchLine = styled("div")({
  flex: "none",
  position: "relative",
  padding: "10px 12px 2px",
  "& > svg": { position: "absolute", left: 22, top: 20, color: color.ink2 },
  "& > input": { paddingLeft: 32 },
  [media.coarse]: { "& > svg": { top: 24 } },
  // the browser draws its clear button in blue
  "& > input::-webkit-search-cancel-button": { filter: "grayscale(1)" },
});
