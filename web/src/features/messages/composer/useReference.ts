import { messageRules, type Message } from "@prosa/contract/messages";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { messageKeys, type MessagePages } from "#web/features/messages/messages.cache.ts";

/** The message that the composer quotes or edits, at most one, and the verbs that choose it. */
export interface Reference {
  readonly quoted: Message | undefined;
  readonly editing: Message | undefined;
  /** Counts what was chosen since the last time that nothing was: each choice takes the focus, what a draft brings back does not. */
  readonly choices: number;
  readonly quote: (message: Message) => void;
  readonly edit: (message: Message) => void;
  /** Nothing is quoted or edited any more. */
  readonly drop: () => void;
}

/**
 * What the composer of a conversation refers to (M-09, M-10). It is part of the draft and comes back with its text: a quotation
 * once its message is loaded, an edit if its message could still be edited when the conversation was opened. The message is the one
 * of the cache, so that it is shown as it is by now.
 */
export function useReference(ticketId: number): Reference {
  const { quotedMsgId, editedMsgId } = useDraft("ticket", ticketId);
  const quoted = useLoadedMessage(ticketId, quotedMsgId);
  const edited = useLoadedMessage(ticketId, editedMsgId);
  const [openedAt] = useStateOf<number>(ticketId, serverNow);
  const [choices, setChoices] = useStateOf(ticketId, 0);
  // An edit that runs out while it is written stays in the field: the server refuses it, with its reason.
  const isEditable = edited && openedAt - Date.parse(edited.createdAt) < messageRules.editWithinMs;

  const verbs = useMemo(() => {
    const refer = (to: { readonly quotedMsgId?: number; readonly editedMsgId?: number }) => {
      drafts.write("ticket", ticketId, { quotedMsgId: undefined, editedMsgId: undefined, ...to });
      setChoices((count) => (to.quotedMsgId === undefined && to.editedMsgId === undefined ? 0 : count + 1));
    };
    return {
      quote: ({ id }: Message) => refer({ quotedMsgId: id }),
      edit: ({ id }: Message) => refer({ editedMsgId: id }),
      drop: () => refer({}),
    };
  }, [ticketId, setChoices]);

  return { quoted, editing: isEditable ? edited : undefined, choices, ...verbs };
}

/** A message of the pages that are loaded, live. */
function useLoadedMessage(ticketId: number, id: number | undefined): Message | undefined {
  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queryClient.getQueryCache().subscribe(listener),
    [queryClient],
  );
  return useSyncExternalStore(subscribe, () =>
    id === undefined
      ? undefined
      : queryClient
          .getQueryData<MessagePages>(messageKeys.of(ticketId))
          ?.pages.flatMap(({ messages }) => messages)
          .find((message) => message.id === id),
  );
}
