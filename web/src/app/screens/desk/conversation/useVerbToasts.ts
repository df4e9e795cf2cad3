import type { Ticket } from "@prosa/contract/tickets";
import { navigate } from "#web/lib/routing/location.ts";
import { requestComposerFocus, withdrawComposerFocus } from "#web/features/messages/index.ts";
import { ticketMessages, useTicketVerb, useTransferTicket, type TicketVerb } from "#web/features/tickets/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { toast } from "#web/ui/Toast.tsx";
import { followAccepted } from "#web/app/screens/desk/list/useDeskList.ts";

/** The toasts after a verb on a ticket; a lost race for accept names the colleague who won (T-12). */
export function useVerbToasts() {
  const t = useMessages(ticketMessages);
  const { id: myId } = useUser();
  const { mutateAsync } = useTicketVerb(myId);
  const { mutateAsync: transfer } = useTransferTicket();

  const failed = (error: Error, ticketId: number) => {
    const isTaken = error instanceof ApiError && error.code === "ERR_TICKET_TAKEN";
    withdrawComposerFocus(ticketId, !isTaken);
    const winner = isTaken ? userNameIn(error.details) : undefined;
    if (winner === undefined) {
      toast.failure(error);
    } else {
      toast.error(t("taken", { name: winner }));
    }
  };
  const goTo = ({ id, uuid, userId }: Ticket) => {
    requestComposerFocus(id);
    if (userId === myId) {
      followAccepted(myId);
    }
    navigate(`${location.pathname.startsWith("/kanban") ? "/kanban" : "/tickets"}/${uuid}`);
  };
  const undo = (id: number, work: () => Promise<Ticket>) => {
    requestComposerFocus(id);
    void work().then(goTo, (error: Error) => failed(error, id));
  };
  // Returning is undone for who had the conversation: an admin may have returned a colleague's.
  const takeBack = (returned: Ticket, { userId, queueId }: Ticket) =>
    userId === null || userId === myId || queueId === null
      ? mutateAsync({ verb: "accept", ticket: returned })
      : transfer({ ticketId: returned.id, userId, queueId, whatsappId: null });

  return {
    failed,
    /** Resolve and return are one key press and leave the conversation: their toasts undo them. */
    done(verb: TicketVerb, ticket: Ticket, before: Ticket) {
      if (verb === "resolve") {
        toast.success(t("resolvedToast"), {
          label: t("reopen"),
          run: () => undo(ticket.id, () => mutateAsync({ verb: "reopen", ticket })),
        });
      } else if (verb === "return") {
        toast.success(t("returnedToast"), {
          label: t("undo"),
          run: () => undo(ticket.id, () => takeBack(ticket, before)),
        });
      }
    },
  };
}

function userNameIn(details: Record<string, unknown>): string | undefined {
  const user = details.user;
  const name = typeof user === "object" && user !== null ? (user as { name?: unknown }).name : details.userName;
  return typeof name === "string" && name !== "" ? name : undefined;
}
