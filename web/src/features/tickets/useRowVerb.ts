import type { Ticket } from "@prosa/contract/tickets";
import { useEffect, useRef } from "react";
import { useTicketVerb } from "./tickets.api.ts";
import { opensTicket, type TicketVerb } from "./tickets.policy.ts";

/**
 * Runs verbs on the tickets of a list, of which a quick hand starts several at once. Resolves to the changed ticket, and whether
 * to open it: of those accepted or reopened only the latest, and none once the list is no longer on the screen.
 * Not by the callbacks of `mutate`: a call that another follows has none, not even for its error.
 */
export function useRowVerb(
  userId: number,
): (verb: TicketVerb, ticket: Ticket) => Promise<{ readonly changed: Ticket; readonly isToOpen: boolean }> {
  const { mutateAsync } = useTicketVerb(userId);
  const toOpen = useRef<number>(undefined);
  useEffect(() => () => (toOpen.current = undefined), []);
  return async (verb, ticket) => {
    if (opensTicket(verb)) {
      toOpen.current = ticket.id;
    }
    const changed = await mutateAsync({ verb, ticket });
    return { changed, isToOpen: opensTicket(verb) && toOpen.current === changed.id };
  };
}
