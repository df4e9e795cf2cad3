import { botPreview } from "@prosa/contract/bot";
import { useRef, useState } from "react";
import { call } from "#web/lib/session/session.ts";
import { toast } from "#web/ui/Toast.tsx";
import type { PreviewAnswer, PreviewEvent, PreviewTurn } from "./preview-turns.ts";

/** The previewed queue or connection, and the time at which its conversation begins. */
export interface PreviewOptions {
  readonly queueId: number;
  /** Starts at this connection's menu; without one, at the queue. */
  readonly connectionId: number | undefined;
  /** Undefined: now. */
  readonly beginsAt: Date | undefined;
}

/** One conversation. */
interface Run {
  state: PreviewAnswer["state"];
  /** Ms that the conversation's clock is ahead of the real one; undefined before its first event. */
  aheadMs: number | undefined;
  /** Settles after the last event: each is played on the state that the one before it left. */
  last: Promise<void>;
  events: number;
}

/**
 * A conversation with the real engine; its state and its clock are kept in the browser only. The clock runs on between the
 * events, because the bot tells a burst of messages from an answer by their times.
 */
export function useBotPreview({ queueId, connectionId, beginsAt }: PreviewOptions) {
  const [turns, setTurns] = useState<readonly PreviewTurn[]>([]);
  const [isPlaying, setPlaying] = useState(false);
  const run = useRef<Run>({ state: null, aheadMs: undefined, last: Promise.resolve(), events: 0 });

  const put = (index: number, turn: PreviewTurn) =>
    setTurns((before) => before.map((each, at) => (at === index ? turn : each)));

  /** Plays an event after those before it, at the time of this call. */
  const play = (happened: PreviewEvent, isClosed: boolean) => {
    const current = run.current;
    const calledAt = Date.now();
    const index = current.events;
    current.events += 1;
    setTurns((before) => [...before, { happened }]);
    setPlaying(true);
    current.last = current.last.then(async () => {
      try {
        const played = await ask(current, happened, { calledAt, isClosed });
        put(index, { happened, played });
      } catch (error) {
        put(index, { happened, hasFailed: true });
        toast.failure(error);
      }
      if (index === current.events - 1) {
        setPlaying(false);
      }
    });
  };

  const ask = async (
    current: Run,
    happened: PreviewEvent,
    { calledAt, isClosed }: { readonly calledAt: number; readonly isClosed: boolean },
  ) => {
    current.aheadMs ??= beginsAt ? beginsAt.getTime() - calledAt : 0;
    const at = new Date(calledAt + current.aheadMs);
    const place = connectionId === undefined ? { queueId } : { connectionId };
    const answer = await call(botPreview.turn, {
      body: { ...place, ...happened, state: current.state, at: at.toISOString(), isClosed },
    });
    current.state = answer.state;
    current.aheadMs += Date.parse(answer.at) - at.getTime();
    return { at, answer };
  };

  return { turns, isPlaying, play };
}
