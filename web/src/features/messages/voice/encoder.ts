import { messageRules } from "@prosa/contract/messages";

/** What the page and the worker that encodes tell each other. */
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

/** An encoder of MP3, 128 kbps (specification 1, section 9), in a worker of its own. `finish` rejects when it could not be loaded or failed on the way. */
export function createEncoder(sampleRate: number): Encoder {
  const worker = new Worker(new URL("mp3.worker.ts", import.meta.url), { type: "module" });
  const tell = (message: ToEncoder, move: Transferable[] = []) => worker.postMessage(message, move);
  const outcome = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromEncoder>) =>
      data.type === "done" ? resolve(data.mp3) : reject(new Error(`The recording was not encoded: ${data.reason}`));
    worker.onerror = ({ message }) => reject(new Error(`The encoder did not start: ${message}`));
  });
  // who asks learns it from finish
  outcome.catch(() => undefined);
  tell({ type: "begin", sampleRate, kbps: messageRules.audioKbps });
  return {
    add: (samples) => tell({ type: "samples", samples }, [samples.buffer]),
    finish() {
      tell({ type: "finish" });
      return outcome;
    },
    close: () => worker.terminate(),
  };
}
