import { botPreview } from "@prosa/contract/bot";
import type { ResponseOf } from "@prosa/contract/endpoint";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "#web/lib/session.ts";
import { toast } from "#web/ui/Toast.tsx";

export type Played = ResponseOf<typeof botPreview.turn>;
export type Line =
  | { readonly by: "customer"; readonly text: string }
  | { readonly by: "bot"; readonly message: Played["messages"][number] }
  | { readonly by: "silence" }
  | { readonly by: "note"; readonly outcome: Played["outcome"]; readonly queue: Played["queue"] };

/** Whose bot is played, and when the customer writes. */
export interface Stage {
  readonly queueId: number;
  /** From this connection's menu on; without one, the queue alone. */
  readonly connectionId: number | undefined;
  readonly at: Date | undefined;
}

/** A conversation with the real engine whose state lives here alone. */
export function useBotPreview({ queueId, connectionId, at }: Stage) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const last = useRef<Played>(undefined);
  /** Grows with each fresh start: an answer to the conversation before is not shown in this one. */
  const round = useRef(0);
  const turn = useMutation({
    mutationFn: (text: string) =>
      call(botPreview.turn, {
        body: {
          ...(connectionId === undefined ? { queueId } : { connectionId }),
          state: last.current?.state ?? null,
          text,
          ...(at && { at: at.toISOString() }),
        },
      }),
  });

  const restart = () => {
    round.current += 1;
    last.current = undefined;
    setLines([]);
  };
  const say = (text: string) => {
    const asked = round.current;
    setLines((before) => [...before, { by: "customer", text }]);
    turn.mutate(text, {
      onError: (error) => toast.failure(error),
      onSuccess: (played) => {
        if (asked === round.current) {
          const shown = linesOf(played, last.current);
          last.current = played;
          setLines((before) => [...before, ...shown]);
        }
      },
    });
  };
  return { lines, say, restart, isThinking: turn.isPending };
}

/** What the bot said, if anything, and a note where something besides changed: the queue, or who is next. */
function linesOf(played: Played, before: Played | undefined): Line[] {
  const { messages, outcome, queue } = played;
  const isNews = outcome !== (before?.outcome ?? "bot") || queue?.id !== before?.queue?.id;
  return [
    ...messages.map((message): Line => ({ by: "bot", message })),
    ...(messages.length === 0 ? [{ by: "silence" } as const] : []),
    ...(isNews ? [{ by: "note", outcome, queue } as const] : []),
  ];
}
