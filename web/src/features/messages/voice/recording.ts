/** How is a voice recorded? Microphone → worklet → encoder, without React. */
import captureUrl from "./capture.worklet.ts?worker&url";
import { createEncoder } from "./encoder.ts";
import { levelOf } from "./level.ts";

/** Why nothing can be recorded. */
export const troubles = ["denied", "missing", "busy", "unsupported", "broken"] as const;
export type Trouble = (typeof troubles)[number];

export class RecordingError extends Error {
  override readonly name = "RecordingError";
  readonly trouble: Trouble;

  constructor(trouble: Trouble, options?: ErrorOptions) {
    super(trouble, options);
    this.trouble = trouble;
  }
}

export interface Recording {
  /** Ends it and gives the MP3. Rejects with RecordingError. */
  finish(): Promise<Blob>;
  /** Ends it, and nothing is left of it. */
  cancel(): void;
}

export interface RecordingParts {
  /** How loud it was just now, 0 to 1, and how long it is so far. */
  readonly onSound: (level: number, seconds: number) => void;
  /** The microphone went away: what was said until then is there. */
  readonly onLost: () => void;
  readonly signal: AbortSignal;
}

/** Asks for the microphone and records from then on. Rejects with RecordingError. */
export async function startRecording({ onSound, onLost, signal }: RecordingParts): Promise<Recording> {
  const stream = await openMicrophone();
  const context = new AudioContext();
  const closeAll = () => {
    stream.getTracks().forEach((track) => track.stop());
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(captureUrl);
    await context.resume();
    signal.throwIfAborted();
  } catch (cause) {
    closeAll();
    throw new RecordingError("broken", { cause });
  }

  const encoder = createEncoder(context.sampleRate);
  const capture = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0, channelCount: 1 });
  let frames = 0;
  capture.port.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer>>) => {
    frames += data.length;
    onSound(levelOf(data), frames / context.sampleRate);
    encoder.add(data);
  };
  context.createMediaStreamSource(stream).connect(capture);
  stream.getTracks().forEach((track) => track.addEventListener("ended", onLost));

  const stop = () => {
    capture.port.onmessage = null;
    closeAll();
  };
  return {
    async finish() {
      stop();
      try {
        return await encoder.finish();
      } catch (cause) {
        throw new RecordingError("broken", { cause });
      } finally {
        encoder.close();
      }
    },
    cancel() {
      stop();
      encoder.close();
    },
  };
}

async function openMicrophone(): Promise<MediaStream> {
  // a page that did not come over https has none
  if (!("mediaDevices" in navigator) || !("AudioWorkletNode" in window)) {
    throw new RecordingError("unsupported");
  }
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (cause) {
    throw new RecordingError(troubleOf(cause), { cause });
  }
}

/** Pure: what a browser's refusal means to a person. */
export function troubleOf(error: unknown): Trouble {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  const known: Readonly<Record<string, Trouble>> = {
    NotAllowedError: "denied",
    SecurityError: "denied",
    NotFoundError: "missing",
    OverconstrainedError: "missing",
    NotReadableError: "busy",
    AbortError: "busy",
  };
  return known[name] ?? "broken";
}
