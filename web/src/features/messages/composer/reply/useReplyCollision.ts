import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { drafts } from "#web/lib/browser/drafts.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { messageKeys, type MessagePages } from "#web/features/messages/messages.cache.ts";
import { findReplyCollision } from "./reply-collision.ts";
import { replyBeganAt } from "./reply-draft.ts";

/**
 * Stops the first attempt to send when a colleague replied while this user was writing; the second attempt sends. Whatever
 * writes the draft counts: the field, another tab, a model's suggestion.
 */
export function useReplyCollision(ticketId: number, myId: number) {
  const queryClient = useQueryClient();
  const [writing] = useStateOf<{ beganAt: number | undefined }>(ticketId, () => ({
    beganAt: replyBeganAt(ticketId, undefined, serverNow()),
  }));
  const [colleague, setColleague] = useStateOf<{ readonly name: string } | undefined>(ticketId, undefined);

  useEffect(
    () =>
      drafts.subscribe("ticket", ticketId, () => {
        writing.beganAt = replyBeganAt(ticketId, writing.beganAt, serverNow());
        if (writing.beganAt === undefined) {
          setColleague(undefined);
        }
      }),
    [ticketId, writing, setColleague],
  );

  return {
    /** Who replied meanwhile, after an attempt to send was stopped. */
    colleague,
    /** Call before sending: false stops this attempt. */
    checkBeforeSend(): boolean {
      const pages = queryClient.getQueryData<MessagePages>(messageKeys.of(ticketId))?.pages ?? [];
      const newest = pages[0]?.messages ?? [];
      const found = colleague ? undefined : findReplyCollision(newest, writing.beganAt, myId);
      setColleague(found);
      return found === undefined;
    },
  };
}
