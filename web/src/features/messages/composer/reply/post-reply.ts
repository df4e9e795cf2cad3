import { outbox, type NewEntry } from "#web/features/messages/outbox/index.ts";
import { toast } from "#web/ui/Toast.tsx";

/**
 * Gives the messages of a reply to the outbox; the first one answers what is quoted. Returns whether it took them: where it did not, a
 * toast says so, and the form keeps what was written.
 */
export function postReply(
  messages: readonly Pick<NewEntry, "body" | "file">[],
  { quotedMsgId, ...by }: Pick<NewEntry, "ticketId" | "userId" | "quotedMsgId">,
): boolean {
  try {
    messages.forEach((message, index) => {
      void outbox.add({ ...message, ...by, quotedMsgId: index === 0 ? quotedMsgId : null });
    });
    return true;
  } catch (error) {
    toast.failure(error);
    return false;
  }
}
