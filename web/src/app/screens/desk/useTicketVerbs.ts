import type { Ticket } from "@prosa/contract/tickets";
import { requestComposerFocus } from "#web/features/messages/index.ts";
import {
  allowedVerbs,
  ticketMessages,
  useDeleteTicket,
  useTicketVerb,
  type TicketVerb,
} from "#web/features/tickets/index.ts";
import { useOfferCommands } from "#web/lib/browser/commands.ts";
import { useShortcut } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { shortcuts, type Combination } from "#web/lib/browser/shortcuts.ts";
import { confirm } from "#web/ui/Confirm.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { useVerbToasts } from "./useVerbToasts.ts";

/** Runs accept, return, resolve and reopen on the open ticket; resolve and return leave the conversation (T-08 to T-11). */
export function useTicketVerbs(ticket: Ticket, onLeave: () => void) {
  const user = useUser();
  const mutation = useTicketVerb(user.id);
  const toasts = useVerbToasts();
  const onVerb = (verb: TicketVerb) => {
    if (verb === "accept" || verb === "reopen") {
      requestComposerFocus(ticket.id);
    }
    mutation.mutate(
      { verb, ticket },
      {
        onSuccess: (changed) => {
          toasts.done(verb, changed);
          if (verb === "resolve" || verb === "return") {
            onLeave();
          }
        },
        onError: toasts.failed,
      },
    );
  };
  return { onVerb, busyVerb: mutation.isPending ? mutation.variables.verb : undefined };
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

/** The shortcuts A, R and E, and the same verbs in the command palette. */
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
  useShortcut(shortcuts.accept, () => press(shortcuts.accept), verbFor(shortcuts.accept) !== undefined);
  useShortcut(shortcuts.return, () => press(shortcuts.return), verbFor(shortcuts.return) !== undefined);
  useShortcut(shortcuts.resolve, () => press(shortcuts.resolve), verbFor(shortcuts.resolve) !== undefined);
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
  useShortcut(shortcuts.transfer, run, isOn);
  useOfferCommands(
    isOn ? [{ key: "ticket-transfer", label: `${t("transfer")}: ${ticket.contact.name}`, shortcut: "t", run }] : [],
  );
}
