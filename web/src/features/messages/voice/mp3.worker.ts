/** Web worker: encodes a recording as MP3 while it is being recorded. */
import { createEncoder } from "wasm-media-encoders";
import wasmUrl from "wasm-media-encoders/wasm/mp3?url";
import type { FromEncoder, ToEncoder } from "./encoder.ts";

/** The worker globals used here. */
interface Worker {
  onmessage: ((event: MessageEvent<ToEncoder>) => void) | null;
  postMessage(message: FromEncoder): void;
}
const worker = globalThis as unknown as Worker;

const loading = createEncoder("audio/mpeg", new URL(wasmUrl, import.meta.url).href);
const parts: Uint8Array<ArrayBuffer>[] = [];
/** Handles messages one at a time in order of arrival, also while the encoder is still loading. */
let queue: Promise<void> = Promise.resolve();

worker.onmessage = ({ data }) => {
  queue = queue
    .then(async () => handle(data, await loading))
    .catch((error: unknown) => worker.postMessage({ type: "failed", reason: String(error) }));
};

function handle(message: ToEncoder, encoder: Awaited<typeof loading>): void {
  switch (message.type) {
    case "begin":
      // The microphone has the device's sample rate; MP3 allows only some rates.
      encoder.configure({
        channels: 1,
        sampleRate: message.sampleRate,
        outputSampleRate: 48_000,
        bitrate: message.kbps,
      });
      break;
    case "samples":
      // Copy: the encoder overwrites the returned memory at its next call.
      parts.push(encoder.encode([message.samples]).slice() as Uint8Array<ArrayBuffer>);
      break;
    case "finish":
      parts.push(encoder.finalize().slice() as Uint8Array<ArrayBuffer>);
      worker.postMessage({ type: "done", mp3: new Blob(parts, { type: "audio/mpeg" }) });
      break;
  }
}
