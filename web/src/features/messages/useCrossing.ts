import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { serverNow } from "#web/lib/clock.ts";
import { colleagueWhoAnswered } from "./crossing.ts";
import { draftOf } from "./drafts.ts";
import { messageKeys, type MessagePages } from "./messages.cache.ts";

/** Stops the first attempt to send when a colleague answered since the writing began; the second one goes. */
export function useCrossing(ticketId: number, myId: number) {
  const queryClient = useQueryClient();
  const beganAt = useRef(draftOf(ticketId) === "" ? undefined : serverNow());
  const [colleague, setColleague] = useState<{ readonly name: string }>();
  return {
    colleague,
    wrote(text: string) {
      beganAt.current = text === "" ? undefined : (beganAt.current ?? serverNow());
      if (text === "") {
        setColleague(undefined);
      }
    },
    maySend(): boolean {
      const pages = queryClient.getQueryData<MessagePages>(messageKeys.of(ticketId))?.pages ?? [];
      const newest = pages[0]?.messages ?? [];
      const found = colleague ? undefined : colleagueWhoAnswered(newest, beganAt.current, myId);
      setColleague(found);
      return found === undefined;
    },
  };
}
