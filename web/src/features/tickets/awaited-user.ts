import type { Ticket } from "@prosa/contract/tickets";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { ticketMessages } from "./tickets.i18n.ts";

/**
 * Says for whom a pending ticket waits: the user who scheduled or started what the contact replied to (decision 0144).
 * Undefined of other tickets.
 */
export function awaitedUserText(
  { status, user }: Pick<Ticket, "status" | "user">,
  myId: number,
  t: Translate<(typeof ticketMessages)["pt"]>,
): string | undefined {
  if (status !== "pending" || user === null) {
    return undefined;
  }
  return user.id === myId ? t("waitsForYou") : t("waitsFor", { name: user.name });
}
