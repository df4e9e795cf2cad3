import type { SessionUser } from "@prosa/contract/auth";
import type { NotificationRecipient } from "@prosa/contract/notifications";

/** The fields of the user that decide which messages notify them. */
export function notificationRecipientOf(user: Pick<SessionUser, "id" | "queues" | "allTicket">): NotificationRecipient {
  return {
    userId: user.id,
    queueIds: user.queues.map(({ id }) => id),
    allTicket: user.allTicket === "enabled",
  };
}
