import { useEffect, useRef, useState } from "react";
import { RecordingError, startRecording, type Recording, type RecordingProblem } from "./recording.ts";

export interface RecordingEvents {
  readonly onLevel: (level: number, seconds: number) => void;
  /** Finished with the MP3, or cancelled without one. */
  readonly onEnd: (mp3: Blob | undefined) => void;
  readonly onProblem: (problem: RecordingProblem) => void;
  /** The microphone was disconnected. */
  readonly onMicrophoneLost: () => void;
  /** The conversation was left during a recording, which is discarded. */
  readonly onAbandoned: () => void;
}

/** Records from mount until finish, cancel or unmount. */
export function useRecording(events: RecordingEvents) {
  const [state, setState] = useState<"asking" | "recording" | "finishing">("asking");
  const running = useRef<Recording>(undefined);
  /** Discarded, perhaps while the MP3 was being made of it. */
  const isCancelled = useRef(false);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  const fail = (error: unknown) => latest.current.onProblem(error instanceof RecordingError ? error.problem : "broken");

  useEffect(() => {
    const unmounted = new AbortController();
    let length = 0;
    startRecording({
      onLevel(level, seconds) {
        length = seconds;
        latest.current.onLevel(level, seconds);
      },
      onMicrophoneLost: () => latest.current.onMicrophoneLost(),
      signal: unmounted.signal,
    }).then(
      (recording) => {
        if (unmounted.signal.aborted) {
          recording.cancel();
          return;
        }
        running.current = recording;
        setState("recording");
      },
      (error: unknown) => !unmounted.signal.aborted && fail(error),
    );
    return () => {
      unmounted.abort();
      if (running.current) {
        running.current.cancel();
        running.current = undefined;
        if (length > 0) {
          latest.current.onAbandoned();
        }
      }
    };
  }, []);

  return {
    state,
    cancel() {
      isCancelled.current = true;
      running.current?.cancel();
      running.current = undefined;
      latest.current.onEnd(undefined);
    },
    finish() {
      const recording = running.current;
      running.current = undefined;
      if (recording) {
        setState("finishing");
        recording.finish().then(
          (mp3) => !isCancelled.current && latest.current.onEnd(mp3),
          (error: unknown) => !isCancelled.current && fail(error),
        );
      }
    },
  };
}
