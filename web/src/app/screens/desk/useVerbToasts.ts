import type { Ticket } from "@prosa/contract/tickets";
import { navigate } from "#web/lib/routing/location.ts";
import { requestComposerFocus } from "#web/features/messages/index.ts";
import { ticketMessages, useTicketVerb, type TicketVerb } from "#web/features/tickets/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { toast } from "#web/ui/Toast.tsx";

/** The toasts after a verb on a ticket; a lost race for accept names the colleague who won (T-12). */
export function useVerbToasts() {
  const t = useMessages(ticketMessages);
  const { mutateAsync } = useTicketVerb(useUser().id);

  const failed = (error: Error) => {
    const winner =
      error instanceof ApiError && error.code === "ERR_TICKET_TAKEN" ? userNameIn(error.details) : undefined;
    if (winner === undefined) {
      toast.failure(error);
    } else {
      toast.error(t("taken", { name: winner }));
    }
  };
  // The toast of resolve has a button that reopens the ticket: resolve is one key press and leaves the conversation.
  const reopen = async (ticket: Ticket) => {
    requestComposerFocus(ticket.id);
    try {
      const { uuid } = await mutateAsync({ verb: "reopen", ticket });
      navigate(`${location.pathname.startsWith("/kanban") ? "/kanban" : "/tickets"}/${uuid}`);
    } catch (error) {
      failed(error as Error);
    }
  };

  return {
    failed,
    done(verb: TicketVerb, ticket: Ticket) {
      if (verb === "resolve") {
        toast.success(t("resolvedToast"), { label: t("reopen"), run: () => void reopen(ticket) });
      } else if (verb === "return") {
        toast.success(t("returnedToast"));
      }
    },
  };
}

function userNameIn(details: Record<string, unknown>): string | undefined {
  const user = details.user;
  const name = typeof user === "object" && user !== null ? (user as { name?: unknown }).name : details.userName;
  return typeof name === "string" && name !== "" ? name : undefined;
}
