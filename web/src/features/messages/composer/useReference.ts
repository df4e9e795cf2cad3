import type { Message } from "@prosa/contract/messages";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { messageKeys, type MessagePages } from "#web/features/messages/messages.cache.ts";
import { referredNow, type Referred } from "./reference.ts";

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
 * What the composer of a conversation refers to (M-09, M-10). It is part of the draft and comes back with its text, if its message
 * is among the newest when the conversation is opened, and an edit if its message can still be edited then. After that only a click
 * in this tab changes it (see `referredNow`).
 */
export function useReference(ticketId: number): Reference {
  const draft = useDraft("ticket", ticketId);
  const [opened] = useStateOf(ticketId, draft);
  const [known, setKnown] = useStateOf<Referred | undefined>(ticketId, undefined);
  const [choices, setChoices] = useStateOf(ticketId, 0);

  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queryClient.getQueryCache().subscribe(listener),
    [queryClient],
  );
  const now = () =>
    referredNow(
      { referred: known, opened, draft },
      queryClient.getQueryData<MessagePages>(messageKeys.of(ticketId)),
      serverNow(),
    );
  useSyncExternalStore(subscribe, () => now()?.message);
  const referred = now();
  if (referred !== known) {
    // during the render: what comes back is painted with the conversation
    setKnown(referred);
  }

  const verbs = useMemo(() => {
    const refer = (to: Referred | undefined) => {
      drafts.write("ticket", ticketId, {
        quotedMsgId: to?.verb === "quote" ? to.message.id : undefined,
        editedMsgId: to?.verb === "edit" ? to.message.id : undefined,
      });
      setKnown(to);
      setChoices((count) => (to ? count + 1 : 0));
    };
    return {
      quote: (message: Message) => refer({ verb: "quote", message }),
      edit: (message: Message) => refer({ verb: "edit", message }),
      drop: () => refer(undefined),
    };
  }, [ticketId, setKnown, setChoices]);

  return {
    quoted: referred?.verb === "quote" ? referred.message : undefined,
    editing: referred?.verb === "edit" ? referred.message : undefined,
    choices,
    ...verbs,
  };
}
