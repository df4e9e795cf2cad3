import type { ContactSummary } from "@prosa/contract/contacts";
import type { Message } from "@prosa/contract/messages";
import type { Ticket } from "@prosa/contract/tickets";
import { useCallback, useRef, type ReactNode } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useCreateTicket } from "#web/features/tickets/index.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { deskMessages } from "./desk.i18n.ts";
import { openOrExplain } from "./conversation/otherTicket.ts";

const NewTicketDialog = lateDialog(async () => (await import("./NewTicketDialog.tsx")).NewTicketDialog);

/**
 * Opens a conversation with a person whose contact card was received (M-04): in the queue of this one where the user has it,
 * else in their only one, else the dialog asks. Returns the verb of the bubbles, and the dialog to draw.
 */
export function useContactCards({ id, queueId, whatsappId }: Pick<Ticket, "id" | "queueId" | "whatsappId">): {
  readonly onStartConversation: (message: Message, card: { readonly name: string; readonly number: string }) => void;
  readonly dialog: ReactNode;
} {
  const t = useMessages(deskMessages);
  const user = useUser();
  const { mutateAsync: create } = useCreateTicket();
  const [toPlace, setToPlace] = useStateOf<ContactSummary | undefined>(id, undefined);
  const isBusy = useRef(false);

  const start = useCallback(
    async (card: { readonly name: string; readonly number: string }) => {
      const { findOrCreateContact } = await import("#web/features/contacts/index.ts");
      const contact = await findOrCreateContact(card);
      const queue = queueFor(user, queueId);
      if (queue === undefined) {
        setToPlace(contact);
        return;
      }
      const open = () => create({ contactId: contact.id, queueId: queue, whatsappId, userId: user.id });
      await openOrExplain(open, { userId: user.id, onOpen, t });
    },
    [create, queueId, setToPlace, t, user, whatsappId],
  );

  const onStartConversation = useCallback(
    (_message: Message, card: { readonly name: string; readonly number: string }) => {
      if (isBusy.current) {
        return; // a second click meant the same
      }
      isBusy.current = true;
      void start(card)
        .catch((error: unknown) => toast.failure(error))
        .finally(() => (isBusy.current = false));
    },
    [start],
  );

  const dialog = toPlace && <NewTicketDialog contact={toPlace} onOpen={onOpen} onClose={() => setToPlace(undefined)} />;
  return { onStartConversation, dialog };
}

function onOpen({ uuid }: Pick<Ticket, "uuid">): void {
  navigate(`/tickets/${uuid}`);
}

/** Undefined where the user has to choose; an admin may leave it without one. */
function queueFor(user: ReturnType<typeof useUser>, wanted: number | null): number | null | undefined {
  if (isAdmin(user) || user.queues.some(({ id }) => id === wanted)) {
    return wanted;
  }
  return user.queues.length === 1 ? user.queues[0]?.id : undefined;
}
