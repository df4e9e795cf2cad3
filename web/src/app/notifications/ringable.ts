import type { SessionUser } from "@prosa/contract/auth";
import type { NotificationRecipient } from "@prosa/contract/notifications";

/** What of the signed-in person decides what rings for them. */
export function ringableOf(user: Pick<SessionUser, "id" | "queues" | "allTicket">): NotificationRecipient {
  return {
    userId: user.id,
    queueIds: user.queues.map(({ id }) => id),
    allTicket: user.allTicket === "enabled",
  };
}
