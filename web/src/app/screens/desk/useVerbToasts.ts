import type { Ticket } from "@prosa/contract/tickets";
import { ticketMessages, type TicketVerb } from "#web/features/tickets/index.ts";
import { ApiError } from "#web/lib/apiError.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";

/** What is said after a verb on a ticket; a lost race names the winner (T-12). */
export function useVerbToasts() {
  const t = useMessages(ticketMessages);
  return {
    done(verb: TicketVerb, _ticket: Ticket) {
      if (verb === "resolve") {
        toast.success(t("resolvedToast"));
      } else if (verb === "return") {
        toast.success(t("returnedToast"));
      }
    },
    failed(error: Error) {
      const winner = error instanceof ApiError && error.code === "ERR_TICKET_TAKEN" ? nameIn(error.details) : undefined;
      if (winner === undefined) {
        toast.failure(error);
      } else {
        toast.error(t("taken", { name: winner }));
      }
    },
  };
}

function nameIn(details: Record<string, unknown>): string | undefined {
  const user = details.user;
  const name = typeof user === "object" && user !== null ? (user as { name?: unknown }).name : details.userName;
  return typeof name === "string" && name !== "" ? name : undefined;
}
