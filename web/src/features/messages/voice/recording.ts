/** Records a voice message, without React: microphone → audio worklet → MP3 encoder. */
import captureUrl from "./capture.worklet.ts?worker&url";
import { createEncoder } from "./encoder.ts";
import { levelOf } from "./level.ts";

/** Why recording is not possible; each has a text in `voiceMessages`. */
export type RecordingProblem = "denied" | "missing" | "busy" | "unsupported" | "broken";

export class RecordingError extends Error {
  override readonly name = "RecordingError";
  readonly problem: RecordingProblem;

  constructor(problem: RecordingProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

export interface Recording {
  /** Stops and returns the MP3. Rejects with RecordingError. */
  finish(): Promise<Blob>;
  /** Stops and discards the recording. */
  cancel(): void;
}

export interface RecordingOptions {
  /** The current loudness from 0 to 1, and the duration so far in seconds. */
  readonly onLevel: (level: number, seconds: number) => void;
  /** The microphone was disconnected; what was recorded until then can be sent. */
  readonly onMicrophoneLost: () => void;
  readonly signal: AbortSignal;
}

/** Asks for the microphone and starts recording. Rejects with RecordingError. */
export async function startRecording({ onLevel, onMicrophoneLost, signal }: RecordingOptions): Promise<Recording> {
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
    onLevel(levelOf(data), frames / context.sampleRate);
    encoder.add(data);
  };
  context.createMediaStreamSource(stream).connect(capture);
  stream.getTracks().forEach((track) => track.addEventListener("ended", onMicrophoneLost));

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
  // a page without https has neither
  if (!("mediaDevices" in navigator) || !("AudioWorkletNode" in window)) {
    throw new RecordingError("unsupported");
  }
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (cause) {
    throw new RecordingError(problemOf(cause), { cause });
  }
}

/** Pure: the problem behind a DOMException of getUserMedia. */
export function problemOf(error: unknown): RecordingProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  const byName: Readonly<Record<string, RecordingProblem>> = {
    NotAllowedError: "denied",
    SecurityError: "denied",
    NotFoundError: "missing",
    OverconstrainedError: "missing",
    NotReadableError: "busy",
    AbortError: "busy",
  };
  return byName[name] ?? "broken";
}
