import type { Message } from "@prosa/contract/messages";
import type { Ticket } from "@prosa/contract/tickets";
import { useLayoutEffect, useRef } from "react";
import { drafts } from "#web/lib/browser/drafts.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useEditMessage } from "#web/features/messages/messages.api.ts";
import { composerMessages } from "#web/features/messages/composer/composer.i18n.ts";

/**
 * Saves the edit in the reply's field (M-10). Once it is saved `onDone` ends it, in the conversation where it was written, and the
 * draft of its text is gone; a refusal is a toast, and the draft stays. `isSaving` is that of the message which is edited now.
 */
export function useSaveEdit(ticket: Ticket, editing: Message | undefined, onDone: () => void) {
  const texts = useMessages(composerMessages);
  const errorText = useErrorText();
  const edit = useEditMessage();
  const shownId = useRef<number>(undefined);
  // before the next event: an answer may come right after the form is gone
  useLayoutEffect(() => {
    shownId.current = editing?.id;
    return () => {
      shownId.current = undefined;
    };
  }, [editing?.id]);
  const endShown = useStableCallback(onDone);

  const save = async (message: Message, body: string) => {
    const isShown = () => shownId.current === message.id;
    const { text } = drafts.read("edit", message.id);
    try {
      // Awaited: callbacks of `mutate` are not called once the form is gone.
      await edit.mutateAsync({ messageId: message.id, body });
    } catch (error) {
      const reason = errorText(error);
      toast.error(isShown() ? reason : texts("editNotSaved", { name: ticket.contact.name, reason }));
      return;
    }
    // Saved late: what was typed after it, or is edited or quoted by then, stays.
    if (drafts.read("edit", message.id).text !== text) {
      return;
    }
    drafts.write("edit", message.id, { text: "" });
    if (isShown()) {
      // perhaps in a later visit of the conversation than the one that saved it
      endShown();
    } else if (drafts.read("ticket", ticket.id).editedMsgId === message.id) {
      onDone();
    }
  };
  return { save, isSaving: edit.isPending && edit.variables.messageId === editing?.id };
}
