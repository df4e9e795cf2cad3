import { messageRules } from "@prosa/contract/messages";

/** Messages between the page and the encoder worker. */
export type ToEncoder =
  | { readonly type: "begin"; readonly sampleRate: number; readonly kbps: typeof messageRules.audioKbps }
  | { readonly type: "samples"; readonly samples: Float32Array<ArrayBuffer> }
  | { readonly type: "finish" };
export type FromEncoder =
  { readonly type: "done"; readonly mp3: Blob } | { readonly type: "failed"; readonly reason: string };

export interface Encoder {
  add(samples: Float32Array<ArrayBuffer>): void;
  finish(): Promise<Blob>;
  close(): void;
}

/** An MP3 encoder, 128 kbps (specification 1, section 9), in a worker. `finish` rejects when the worker did not load or failed while encoding. */
export function createEncoder(sampleRate: number): Encoder {
  const worker = new Worker(new URL("mp3.worker.ts", import.meta.url), { type: "module" });
  const send = (message: ToEncoder, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  const outcome = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromEncoder>) =>
      data.type === "done" ? resolve(data.mp3) : reject(new Error(`Encoding the recording failed: ${data.reason}`));
    worker.onerror = ({ message }) => reject(new Error(`The encoder worker did not start: ${message}`));
  });
  // the error is reported by finish; without this handler it would be an unhandled rejection
  outcome.catch(() => undefined);
  send({ type: "begin", sampleRate, kbps: messageRules.audioKbps });
  return {
    add: (samples) => send({ type: "samples", samples }, [samples.buffer]),
    finish() {
      send({ type: "finish" });
      return outcome;
    },
    close: () => worker.terminate(),
  };
}
