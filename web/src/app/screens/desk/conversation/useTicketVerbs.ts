import type { Ticket } from "@prosa/contract/tickets";
import { useEffect, useRef } from "react";
import { requestComposerFocus } from "#web/features/messages/index.ts";
import {
  allowedVerbs,
  focusedTicketId,
  opensTicket,
  ticketMessages,
  useDeleteTicket,
  useTicketVerb,
  type TicketVerb,
} from "#web/features/tickets/index.ts";
import { useOfferCommands } from "#web/lib/browser/commands.ts";
import { useShortcut } from "#web/lib/browser/hooks.ts";
import { isListFocused } from "#web/lib/browser/key-owner.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { shortcuts, type Combination } from "#web/lib/browser/shortcuts.ts";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { followAccepted } from "#web/app/screens/desk/list/useDeskList.ts";
import { useVerbToasts } from "./useVerbToasts.ts";

/** Runs accept, return, resolve and reopen on the open ticket; resolve and return leave the conversation (T-08 to T-11). */
export function useTicketVerbs(ticket: Ticket, onLeave: () => void) {
  const { id: userId } = useUser();
  const mutation = useTicketVerb(userId);
  const toasts = useVerbToasts();
  const shownId = useRef<number>(undefined);
  useEffect(() => {
    shownId.current = ticket.id;
    return () => {
      shownId.current = undefined;
    };
  }, [ticket.id]);
  const onVerb = async (verb: TicketVerb) => {
    if (opensTicket(verb)) {
      requestComposerFocus(ticket.id);
    }
    try {
      const changed = await mutation.mutateAsync({ verb, ticket });
      // also where another conversation was opened meanwhile: its undo is needed there most
      toasts.done(verb, changed, ticket);
      if (verb === "accept") {
        followAccepted(userId);
      }
      if (shownId.current === ticket.id && !opensTicket(verb)) {
        onLeave();
      }
    } catch (error) {
      toasts.failed(error as Error, ticket.id);
    }
  };
  return {
    onVerb: (verb: TicketVerb) => void onVerb(verb),
    busyVerb: mutation.isPending && mutation.variables.ticket.id === ticket.id ? mutation.variables.verb : undefined,
  };
}

/** Deletes the ticket after a confirmation (T-18). */
export function useRemoveTicket(onLeave: () => void) {
  const t = useMessages(ticketMessages);
  const remove = useDeleteTicket();
  return (ticket: Ticket) =>
    void confirm({
      title: t("deleteTitle", { name: ticket.contact.name }),
      text: t("deleteText"),
      verb: t("deleteVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(ticket.id),
    }).then((isDone) => {
      if (isDone) {
        toast.success(t("deleted"));
        onLeave();
      }
    });
}

/** The shortcuts A, R and E of the row that has the focus, and the same verbs in the command palette. */
export function useTicketShortcuts(ticket: Ticket, isMine: boolean, onVerb: (verb: TicketVerb) => void): void {
  const t = useMessages(ticketMessages);
  const allowed = allowedVerbs(ticket, isMine);
  const verbFor = (key: Combination) => allowed.find((verb) => shortcuts[verb] === key);
  const press = (key: Combination) => {
    const verb = verbFor(key);
    if (verb) {
      onVerb(verb);
    }
  };
  useRowShortcut(ticket, shortcuts.accept, () => press(shortcuts.accept), verbFor(shortcuts.accept) !== undefined);
  useRowShortcut(ticket, shortcuts.return, () => press(shortcuts.return), verbFor(shortcuts.return) !== undefined);
  useRowShortcut(ticket, shortcuts.resolve, () => press(shortcuts.resolve), verbFor(shortcuts.resolve) !== undefined);
  useOfferCommands(
    allowed.map((verb) => ({
      key: `ticket-${verb}`,
      label: `${t(verb)}: ${ticket.contact.name}`,
      shortcut: shortcuts[verb],
      run: () => onVerb(verb),
    })),
  );
}

/** The shortcut T, and the transfer in the command palette (T-14). */
export function useTransferShortcut(ticket: Ticket, isOn: boolean, run: () => void): void {
  const t = useMessages(ticketMessages);
  useRowShortcut(ticket, shortcuts.transfer, run, isOn);
  useOfferCommands(
    isOn ? [{ key: "ticket-transfer", label: `${t("transfer")}: ${ticket.contact.name}`, shortcut: "t", run }] : [],
  );
}

/**
 * A letter that acts on the open conversation while its row has the focus, or the list as a whole (`leaveComposer`): never
 * on another row's behalf.
 */
export function useRowShortcut(ticket: Ticket, key: Combination, run: () => void, isOn: boolean): void {
  useShortcut(
    key,
    // a key that is held down acts once
    ({ repeat }) => {
      if (!repeat && (focusedTicketId() === ticket.id || isListFocused())) {
        run();
      }
    },
    isOn,
  );
}
