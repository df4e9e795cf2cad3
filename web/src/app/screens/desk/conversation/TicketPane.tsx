import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import type { Tag } from "@prosa/contract/tags";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useRef, type ReactNode } from "react";
import { useLocation } from "#web/lib/routing/location.ts";
import {
  KeptConversations,
  conversationMessages,
  HeldText,
  keepNewestPage,
  type LaterReply,
  LazyComposer,
  markRead,
  MessageDialogs,
  requestComposerFocus,
  useMessageVerb,
  useReact,
  useReference,
  withdrawComposerFocus,
} from "#web/features/messages/index.ts";
import { useAgentAssist } from "#web/features/agent-assist/index.ts";
import { notesOptions, useAddNote } from "#web/features/notes/index.ts";
import {
  canAct,
  canWrite,
  changeTickets,
  focusActiveRow,
  focusedTicketId,
  TicketHeader,
  ticketMessages,
  ticketInLists,
  ticketOptions,
  viewerOf,
  type TicketVerb,
} from "#web/features/tickets/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useFrameWish } from "#web/lib/browser/frame.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useShownConversation } from "#web/lib/browser/shown-conversation.ts";
import { useStableCallback, useStableCallbacks } from "#web/lib/browser/useStableCallback.ts";
import { useAfterPaint } from "#web/lib/browser/useAfterPaint.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { focusKeyArea } from "#web/lib/browser/key-owner.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { hasFeature, useCan } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useRoom } from "#web/lib/realtime/socket.ts";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color, size } from "#web/ui/theme.ts";
import { AcceptBar } from "./AcceptBar.tsx";
import { useContactCards } from "#web/app/screens/desk/useContactCards.tsx";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { HeldKeys } from "#web/lib/browser/typed-ahead.ts";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { DropOverlay, useFileDrop } from "./FileDrop.tsx";
import { LineNotice } from "./LineNotice.tsx";
import { keepMarkedRead, unreadVersion } from "./mark-read.ts";
import { PresenceLine } from "./PresenceLine.tsx";
import { useContactDrawer } from "./useContactDrawer.ts";
import {
  useRemoveTicket,
  useRowShortcut,
  useTicketShortcuts,
  useTicketVerbs,
  useTransferShortcut,
} from "./useTicketVerbs.ts";

/** The code of the contact's drawer: the first conversation opens with it. */
export const loadDrawer = () => import("./ContactDrawer.tsx");
const ContactDrawer = lazyOrNothing(async () => (await loadDrawer()).ContactDrawer);
const ScheduleDialog = lateDialog(async () => (await import("./scheduling.ts")).ScheduleDialog);
const TagPicker = lateComponent(async () => (await import("./tagging.ts")).TagPicker, HeldKeys);
const TransferDialog = lateDialog(
  async () => (await import("#web/app/screens/desk/transfer/TransferDialog.tsx")).TransferDialog,
);

interface PaneProps {
  /** Alone on the screen, with a way back. */
  readonly isNarrow: boolean;
  /** Beside something wider than a list: the contact's data open over the conversation. */
  readonly isSlim?: boolean;
  /** Its button, where leaving does not follow from choosing another conversation. */
  readonly close?: ReactNode;
  readonly onLeave: () => void;
}

export interface TicketPaneProps extends PaneProps {
  readonly uuid: string;
}

/** The open conversation: header, messages, composer. */
export function TicketPane(props: TicketPaneProps) {
  const t = useMessages(ticketMessages);
  const conversationTexts = useMessages(conversationMessages);
  const { onLeave } = props;
  const queryClient = useQueryClient();
  // What the lists know of the ticket is shown at once, and it is fetched all the same.
  const cached = () => ticketInLists(queryClient, props.uuid);
  const query = useQuery({ ...ticketOptions(props.uuid), initialData: cached, initialDataUpdatedAt: 0 });
  const code = query.error instanceof ApiError ? query.error.code : undefined;
  const wasShown = query.data !== undefined;

  useEffect(() => {
    if (code === "ERR_NO_PERMISSION") {
      // a ticket that this user may not see (T-17)
      toast.error(t("notAllowed"));
      onLeave();
    } else if (code === "ERR_NO_TICKET_FOUND" || code === "ERR_NOT_FOUND") {
      if (wasShown) {
        toast.info(t("viewedWasDeleted"));
      } else {
        toast.failure(query.error);
      }
      onLeave();
    }
  }, [code, wasShown, onLeave, query.error, t]);

  if (query.data) {
    return <OpenTicket {...props} ticket={query.data} />;
  }
  return query.isError ? (
    <ErrorState title={conversationTexts("failed")} error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <>
      <HeldText uuid={props.uuid} />
      <ProgressBar label={t("loading")} />
    </>
  );
}

function OpenTicket({ ticket, onLeave, isNarrow, isSlim, close }: PaneProps & { readonly ticket: Ticket }) {
  const user = useUser();
  const viewer = viewerOf(user);
  const isMine = canAct(viewer, ticket);
  const mayWrite = canWrite(viewer, ticket);
  const reference = useReference(ticket.id);
  const { quoted } = reference;
  const [photo, setPhoto] = useStateOf<Message | undefined>(ticket.id, undefined);
  const [history, setHistory] = useStateOf<Message | undefined>(ticket.id, undefined);
  const drop = useFileDrop(ticket.id, mayWrite);
  const { onVerb, busyVerb } = useTicketVerbs(ticket, onLeave);
  const remove = useRemoveTicket(onLeave);
  const canDelete = useCan("ticket-options:deleteTicket");
  const cards = useContactCards(ticket);
  // the same for all conversations: the rows of those that are kept need not render again
  const bubbleVerbs = useBubbleVerbs({ onQuote: reference.quote, onEdit: reference.edit, setPhoto, setHistory });
  const { onStartConversation } = cards;
  const verbs = useStableCallbacks({ ...bubbleVerbs, onStartConversation });
  const notes = useQuery(notesOptions(ticket.id)).data;
  const jumpTarget = jumpTargetIn(useLocation().state);
  const drawer = useContactDrawer(ticket.id, !isSlim);
  const closeDrawer = useStableCallback(drawer.toggle);
  const inDrawer = useAfterPaint(ticket, ticket.id);
  const [isTransferring, setTransferring] = useStateOf(ticket.id, false);
  const canTransfer = isMine && ticket.status !== "closed";
  const transfer = () => setTransferring(true);
  const [scheduling, setScheduling] = useStateOf<Partial<LaterReply> | undefined>(ticket.id, undefined);
  const canSchedule = hasFeature(user, "useSchedules");

  useFrameWish({
    minWidth:
      isSlim || isNarrow ? 0 : size.ticketList + size.conversation + (drawer.isBesideOpen ? size.contactDrawer : 0),
  });
  useRoom("joinChatBox", ticket.id);
  useShownConversation(ticket.uuid);
  useDropOlderPages(ticket.id);
  useMarkRead(ticket, ticket.userId === user.id && ticket.status !== "pending");
  useTicketShortcuts(ticket, isMine, onVerb);
  useTransferShortcut(ticket, canTransfer, transfer);
  useRowShortcut(ticket, shortcuts.note, () => requestComposerFocus(ticket.id, "note"), mayWrite);
  const tagging = useTagging(ticket);
  const { mutateAsync: addNote } = useAddNote();
  const quotedId = quoted && !quoted.fromMe ? quoted.id : undefined;
  const assist = useAgentAssist({ ticketId: ticket.id, contactId: ticket.contactId, quotedId });

  const pane = (
    <Pane {...drop.handlers}>
      <TicketHeader
        ticket={ticket}
        busyVerb={busyVerb}
        canAct={isMine}
        canDelete={canDelete}
        onVerb={onVerb}
        onDelete={remove}
        onBack={isNarrow ? onLeave : undefined}
        close={close}
        onContact={drawer.toggle}
        isContactShown={drawer.isOpen}
        onTransfer={canTransfer ? transfer : undefined}
        onSchedule={canSchedule ? () => setScheduling({}) : undefined}
      />
      <KeptConversations ticket={ticket} canWrite={mayWrite} verbs={verbs} notes={notes} jumpTarget={jumpTarget} />
      {mayWrite ? (
        <LazyComposer
          ticket={ticket}
          quoted={quoted}
          editing={reference.editing}
          choices={reference.choices}
          onDone={reference.drop}
          onEscape={() => leaveComposer(ticket.id)}
          dropped={drop.files}
          onDropAttached={drop.clear}
          onLater={canSchedule ? setScheduling : undefined}
          assist={assist}
          onNote={(note) => addNote({ ticketId: ticket.id, contactId: ticket.contactId, note })}
          above={
            <>
              <LineNotice whatsappId={ticket.whatsappId} />
              <PresenceLine ticketId={ticket.id} />
            </>
          }
        />
      ) : (
        <ReadOnly ticket={ticket} busyVerb={busyVerb} onAccept={() => onVerb("accept")} />
      )}
      {tagging.isOpen && (
        <TagPicker ticketId={ticket.id} tags={ticket.tags} onChanged={tagging.save} onClose={tagging.close} />
      )}
      {drop.isOver && <DropOverlay />}
      <MessageDialogs
        photo={photo}
        onPhotoClose={() => setPhoto(undefined)}
        edited={history}
        onEditedClose={() => setHistory(undefined)}
      />
    </Pane>
  );
  return (
    <PaneAndDrawer>
      {pane}
      {cards.dialog}
      <Suspense>
        {drawer.isOpen && <ContactDrawer ticket={inDrawer} isOverlay={drawer.isOverlay} onClose={closeDrawer} />}
      </Suspense>
      {scheduling && (
        <ScheduleDialog
          isOfConversation
          start={{ ...scheduling, contact: ticket.contact, whatsappId: ticket.whatsappId }}
          onSaved={scheduling.onSaved}
          onClose={() => setScheduling(undefined)}
        />
      )}
      {isTransferring && <TransferDialog ticket={ticket} onClose={() => setTransferring(false)} onDone={onLeave} />}
    </PaneAndDrawer>
  );
}

/** The shortcut G: the picker of tags over the conversation; a choice or Escape gives the focus back to the row. */
function useTagging(ticket: Ticket) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useStateOf(ticket.id, false);
  const before = useRef<Element>(null);
  const open = () => {
    before.current = document.activeElement;
    setOpen(true);
  };
  useRowShortcut(ticket, shortcuts.tags, open, true);
  return {
    isOpen,
    close: useCallback(() => {
      setOpen(false);
      if (before.current instanceof HTMLElement && before.current.isConnected) {
        before.current.focus();
      }
    }, [setOpen]),
    save: (tags: readonly Tag[]) =>
      changeTickets(
        queryClient,
        ({ id }) => id === ticket.id,
        (known) => ({ ...known, tags: [...tags] }),
      ),
  };
}

/** Escape in the composer: to the conversation's row, or the list where it has none. Letters are shortcuts there; the draft stays. */
function leaveComposer(ticketId: number): void {
  focusActiveRow();
  if (focusedTicketId() !== ticketId) {
    focusKeyArea();
  }
}

/** The message that a search found (see Desk); each click gives a new object and so a new jump. */
function jumpTargetIn(state: unknown): { readonly messageId: number } | undefined {
  return typeof state === "object" && state !== null && "messageId" in state
    ? (state as { readonly messageId: number })
    : undefined;
}

function useBubbleVerbs(show: {
  readonly onQuote: (message: Message) => void;
  readonly onEdit: (message: Message) => void;
  readonly setPhoto: (message: Message) => void;
  readonly setHistory: (message: Message) => void;
}) {
  const t = useMessages(conversationMessages);
  const { mutateAsync: remove } = useMessageVerb("remove");
  const { mutateAsync: retry } = useMessageVerb("retry");
  const { mutateAsync: refetch } = useMessageVerb("refetchMedia");
  const { mutateAsync: react } = useReact();
  const { onQuote, onEdit, setPhoto, setHistory } = show;

  return useMemo(() => {
    // By the promise: `mutate` would tell of the last one only, and of none in another conversation.
    const tellFailure = (done: Promise<unknown>) => void done.catch((error: unknown) => toast.failure(error));
    return {
      onOpenPhoto: setPhoto,
      onHistory: setHistory,
      onQuote,
      onEdit,
      onRetry: (message: Message) => tellFailure(retry(message.id)),
      onRefetch: (message: Message) => tellFailure(refetch(message.id)),
      onReact: (message: Message, emoji: string) => tellFailure(react({ messageId: message.id, emoji })),
      onRemove: (message: Message) =>
        void confirm({
          title: t("removeTitle"),
          text: t("removeText"),
          verb: t("removeVerb"),
          isDangerous: true,
          run: () => remove(message.id),
        }),
    };
  }, [onQuote, onEdit, setPhoto, setHistory, remove, retry, refetch, react, t]);
}

/** A conversation that is left drops its older pages: opened again, it fetches one page. */
function useDropOlderPages(ticketId: number): void {
  const queryClient = useQueryClient();
  useEffect(() => () => keepNewestPage(queryClient, ticketId), [queryClient, ticketId]);
}

/** Marks the conversation as read while its owner has it open in a visible tab (M-14). */
function useMarkRead(ticket: Ticket, isOwner: boolean): void {
  const { id } = ticket;
  const unread = unreadVersion(ticket);
  useEffect(
    () => (unread !== undefined && isOwner ? keepMarkedRead(() => markRead(id)) : undefined),
    [id, unread, isOwner],
  );
}

function ReadOnly(props: {
  readonly ticket: Ticket;
  readonly busyVerb: TicketVerb | undefined;
  readonly onAccept: () => void;
}) {
  const { ticket } = props;
  const t = useMessages(conversationMessages);
  const { id } = ticket;
  const mayBeAccepted = ticket.status === "pending";
  useEffect(() => {
    // what waits may be accepted at this moment
    if (!mayBeAccepted) {
      withdrawComposerFocus(id);
    }
  }, [id, mayBeAccepted]);
  if (mayBeAccepted) {
    return <AcceptBar isBusy={props.busyVerb === "accept"} onAccept={props.onAccept} />;
  }
  const text = ticket.status === "closed" ? t("notOpenClosed") : t("notYours", { name: ticket.user?.name ?? "" });
  return <ReadOnlyNote role="note">{text}</ReadOnlyNote>;
}

const PaneAndDrawer = styled("div")({ flex: 1, minWidth: 0, minHeight: 0, display: "flex" });
const Pane = styled("div")({
  position: "relative",
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
});
const ReadOnlyNote = styled("p")({
  padding: "14px 20px",
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  color: color.ink2,
  textAlign: "center",
});
