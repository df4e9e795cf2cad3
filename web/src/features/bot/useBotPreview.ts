import { botPreview } from "@prosa/contract/bot";
import type { ResponseOf } from "@prosa/contract/endpoint";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "#web/lib/session/session.ts";
import { toast } from "#web/ui/Toast.tsx";

export type PreviewAnswer = ResponseOf<typeof botPreview.turn>;
export type PreviewLine =
  | { readonly by: "customer"; readonly text: string }
  | { readonly by: "bot"; readonly message: PreviewAnswer["messages"][number] }
  | { readonly by: "silence" }
  | { readonly by: "note"; readonly outcome: PreviewAnswer["outcome"]; readonly queue: PreviewAnswer["queue"] };

/** The previewed queue or connection, and the time of the customer's message. */
export interface PreviewOptions {
  readonly queueId: number;
  /** Starts at this connection's menu; without one, at the queue. */
  readonly connectionId: number | undefined;
  readonly at: Date | undefined;
}

/** A conversation with the real engine; its state is kept in the browser only. */
export function useBotPreview({ queueId, connectionId, at }: PreviewOptions) {
  const [lines, setLines] = useState<readonly PreviewLine[]>([]);
  const last = useRef<PreviewAnswer>(undefined);
  /** Incremented by each restart, so that a late answer of the previous conversation is dropped. */
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

/** The bot's messages, and a note on a change of queue or state. */
function linesOf(played: PreviewAnswer, before: PreviewAnswer | undefined): PreviewLine[] {
  const { messages, outcome, queue } = played;
  const isNews = outcome !== (before?.outcome ?? "bot") || queue?.id !== before?.queue?.id;
  return [
    ...messages.map((message): PreviewLine => ({ by: "bot", message })),
    ...(messages.length === 0 ? [{ by: "silence" } as const] : []),
    ...(isNews ? [{ by: "note", outcome, queue } as const] : []),
  ];
}
