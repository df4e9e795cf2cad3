import type { Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Columns3, KanbanSquare, Rows3, X } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { Link, useParams } from "#web/lib/routing/router.tsx";
import {
  Board,
  CardList,
  cardListOf,
  kanbanMessages,
  kanbanRealtime,
  laneCountsOptions,
  laneIdsOf,
  type CardFocus,
} from "#web/features/kanban/index.ts";
import { requestComposerFocus } from "#web/features/messages/index.ts";
import {
  canWrite,
  ticketInLists,
  ticketMessages,
  ticketOptions,
  useRowVerb,
  viewerOf,
} from "#web/features/tickets/index.ts";
import { keyArea } from "#web/lib/browser/key-owner.ts";
import { fieldKeys } from "#web/lib/browser/shortcuts.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useRoom } from "#web/lib/realtime/socket.ts";
import { useCan } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useFrameWish } from "#web/lib/browser/frame.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Switch } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListHead } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { QueueFilter } from "#web/app/screens/desk/list/QueueFilter.tsx";
import { LazyTicketPane } from "#web/app/screens/desk/conversation/LazyTicketPane.tsx";
import { useConversations } from "#web/app/screens/desk/list/useConversations.ts";
import { useVerbToasts } from "#web/app/screens/desk/conversation/useVerbToasts.ts";
import { useBoardFilter, type BoardView } from "./useBoardFilter.ts";
import { laneWidth, paneWidth, useEscape, useRoomBeside } from "./usePaneBeside.ts";

registerRealtime(kanbanRealtime);

/** /kanban: conversations as cards on a board or as a list; the open one beside it (O-02). */
export function Kanban() {
  const t = useMessages(kanbanMessages);
  const { ticketUuid } = useParams();
  const board = useBoardFilter();
  const { setFrame, hasRoom } = useRoomBeside();
  const [listCount, setListCount] = useState<number>();
  const cards = useCardActions();
  const counts = useQuery(laneCountsOptions(board.filter)).data?.lanes;
  const boardCount = counts?.reduce((sum, { count }) => sum + count, 0);
  const list = useMemo(() => cardListOf(board.filter, null), [board.filter]);

  useConversations();
  useRoom("joinTickets", "open");
  useRoom("joinTickets", "pending");
  useEscape(cards.onLeave, ticketUuid !== undefined);

  const isCovered = ticketUuid !== undefined && !hasRoom;
  const isPhone = useMedia(media.phone);
  useFrameWish({
    minWidth: ticketUuid === undefined || isPhone ? 0 : laneWidth + size.conversation,
    isAlone: isPhone && isCovered,
  });
  return (
    <Frame ref={setFrame}>
      <Side {...keyArea.board} aria-label={t("title")} inert={isCovered}>
        <ListHead
          title={t("title")}
          count={board.view === "board" ? boardCount : listCount}
          search={{ ...board.search, placeholder: t("search") }}
          filters={<Filters board={board} />}
          moreActions={<ViewToggle view={board.view} onView={board.setView} />}
        />
        {board.view === "board" ? (
          <Board
            filter={board.filter}
            activeUuid={ticketUuid}
            onOpen={cards.onOpen}
            onAccept={cards.onAccept}
            focus={cards.focus}
            onFocus={cards.onFocus}
            withoutLanes={<LanesMissing />}
          />
        ) : (
          <CardList list={list} onOpen={cards.onOpen} onAccept={cards.onAccept} onCount={setListCount} />
        )}
      </Side>
      {ticketUuid !== undefined && (
        <Pane data-covers={isCovered || undefined} style={{ minWidth: hasRoom ? paneWidth : undefined }}>
          <LazyTicketPane
            uuid={ticketUuid}
            isNarrow={isCovered}
            isSlim
            close={!isCovered && <CloseButton onClose={cards.onLeave} />}
            onLeave={cards.onLeave}
          />
        </Pane>
      )}
    </Frame>
  );
}

/** What a card's buttons do; the open conversation is in the URL, and its card has the focus when it is closed. */
function useCardActions() {
  const user = useUser();
  const { ticketUuid } = useParams();
  const queryClient = useQueryClient();
  const rowVerb = useRowVerb(user.id);
  const toasts = useVerbToasts();
  const [focus, onFocus] = useState<CardFocus>();

  const onOpen = useCallback(
    (ticket: Ticket) => {
      if (canWrite(viewerOf(user), ticket)) {
        requestComposerFocus(ticket.id);
      }
      // What the card knows is shown at once, and fetched all the same.
      queryClient.setQueryData(ticketOptions(ticket.uuid).queryKey, (known) => known ?? ticket, { updatedAt: 0 });
      navigate(`/kanban/${ticket.uuid}`);
    },
    [queryClient, user],
  );
  const onAccept = (ticket: Ticket) => {
    requestComposerFocus(ticket.id);
    rowVerb("accept", ticket).then(
      ({ changed, isToOpen }) => {
        if (isToOpen) {
          onOpen(changed);
        }
      },
      (error: Error) => toasts.failed(error, ticket.id),
    );
  };
  const onLeave = useCallback(() => {
    const left = ticketUuid === undefined ? undefined : ticketInLists(queryClient, ticketUuid);
    const laneId = left && laneIdsOf(left)[0];
    onFocus(left && laneId !== undefined ? { ticketId: left.id, laneId } : undefined);
    navigate("/kanban");
  }, [ticketUuid, queryClient]);

  return { onOpen, onAccept: useStableCallback(onAccept), onLeave, focus, onFocus };
}

function Filters({ board }: { readonly board: ReturnType<typeof useBoardFilter> }) {
  const t = useMessages(ticketMessages);
  return (
    <>
      <ShowAll title={t("showAllHint")}>
        <Switch checked={board.showAll} onChange={(event) => board.setShowAll(event.target.checked)} />
        {t("showAll")}
      </ShowAll>
      <QueueFilter chosen={board.queueIds} onChange={board.setQueueIds} />
    </>
  );
}

function ViewToggle({ view, onView }: { readonly view: BoardView; readonly onView: (view: BoardView) => void }) {
  const t = useMessages(kanbanMessages);
  return (
    <Views role="group" aria-label={t("view")}>
      <IconButton label={t("asBoard")} isOn={view === "board"} onClick={() => onView("board")}>
        <Columns3 />
      </IconButton>
      <IconButton label={t("asList")} isOn={view === "list"} onClick={() => onView("list")}>
        <Rows3 />
      </IconButton>
    </Views>
  );
}

function CloseButton({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(kanbanMessages);
  return (
    <IconButton label={t("close")} shortcut={fieldKeys.cancel} onClick={onClose}>
      <X />
    </IconButton>
  );
}

/** The board of a company that has no lanes yet. */
function LanesMissing() {
  const t = useMessages(kanbanMessages);
  const mayCreate = useCan("tags:editKanban");
  return (
    <EmptyState
      icon={<KanbanSquare />}
      title={t("lanesMissing")}
      text={t(mayCreate ? "lanesMissingText" : "lanesMissingOther")}
      action={mayCreate && <Link to="/tags">{t("toTags")}</Link>}
    />
  );
}

const Frame = styled("div")({ position: "relative", display: "flex", height: "100%", minWidth: 0 });
const Side = styled("section")({
  flex: "1 1 0",
  minWidth: 0,
  display: "flex",
  flexDirection: "column",
  backgroundColor: color.panel,
});
const Pane = styled("section")({
  flex: "0 1 44%",
  maxWidth: 760,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  borderLeft: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  "&[data-covers]": { position: "absolute", inset: 0, zIndex: 3, maxWidth: "none", border: 0 },
});
const Views = styled("div")({ display: "flex", gap: 2 });
const ShowAll = styled("label")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  fontSize: 12,
  color: color.ink2,
  cursor: "pointer",
  whiteSpace: "nowrap",
});
