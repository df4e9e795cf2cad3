import { useEffect, useRef, useState } from "react";
import { RecordingError, startRecording, type Recording, type Trouble } from "./recording.ts";

export interface RecordingEvents {
  readonly onSound: (level: number, seconds: number) => void;
  /** It ended: with what was recorded, or without when it was cancelled. */
  readonly onEnd: (mp3: Blob | undefined) => void;
  readonly onTrouble: (trouble: Trouble) => void;
  /** The microphone went away. */
  readonly onLost: () => void;
  /** The screen was left while something had been recorded. */
  readonly onLeft: () => void;
}

/** Records from the moment it is shown until it is finished, cancelled or left. */
export function useRecording(events: RecordingEvents) {
  const [state, setState] = useState<"asking" | "recording" | "finishing">("asking");
  const running = useRef<Recording>(undefined);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  const fail = (error: unknown) => latest.current.onTrouble(error instanceof RecordingError ? error.trouble : "broken");

  useEffect(() => {
    const left = new AbortController();
    let length = 0;
    startRecording({
      onSound(level, seconds) {
        length = seconds;
        latest.current.onSound(level, seconds);
      },
      onLost: () => latest.current.onLost(),
      signal: left.signal,
    }).then(
      (recording) => {
        if (left.signal.aborted) {
          recording.cancel();
          return;
        }
        running.current = recording;
        setState("recording");
      },
      (error: unknown) => !left.signal.aborted && fail(error),
    );
    return () => {
      left.abort();
      if (running.current) {
        running.current.cancel();
        running.current = undefined;
        if (length > 0) {
          latest.current.onLeft();
        }
      }
    };
  }, []);

  return {
    state,
    cancel() {
      running.current?.cancel();
      running.current = undefined;
      latest.current.onEnd(undefined);
    },
    finish() {
      const recording = running.current;
      running.current = undefined;
      if (recording) {
        setState("finishing");
        recording.finish().then((mp3) => latest.current.onEnd(mp3), fail);
      }
    },
  };
}
