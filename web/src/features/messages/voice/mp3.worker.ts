/** Encodes a recording as MP3 while it goes on, away from the page. */
import { createEncoder } from "wasm-media-encoders";
import wasmUrl from "wasm-media-encoders/wasm/mp3?url";
import type { FromEncoder, ToEncoder } from "./encoder.ts";

/** Of the worker's own globals, what is used here. */
interface Worker {
  onmessage: ((event: MessageEvent<ToEncoder>) => void) | null;
  postMessage(message: FromEncoder): void;
}
const worker = globalThis as unknown as Worker;

const loading = createEncoder("audio/mpeg", new URL(wasmUrl, import.meta.url).href);
const parts: Uint8Array<ArrayBuffer>[] = [];
/** One after the other, in the order in which it came, however long the encoder takes to load. */
let work: Promise<void> = Promise.resolve();

worker.onmessage = ({ data }) => {
  work = work
    .then(async () => handle(data, await loading))
    .catch((error: unknown) => worker.postMessage({ type: "failed", reason: String(error) }));
};

function handle(message: ToEncoder, encoder: Awaited<typeof loading>): void {
  switch (message.type) {
    case "begin":
      // Sound comes at the machine's own rate; an MP3 knows only some.
      encoder.configure({
        channels: 1,
        sampleRate: message.sampleRate,
        outputSampleRate: 48_000,
        bitrate: message.kbps,
      });
      break;
    case "samples":
      // The encoder's memory is its own: what it returns is gone with the next call.
      parts.push(encoder.encode([message.samples]).slice() as Uint8Array<ArrayBuffer>);
      break;
    case "finish":
      parts.push(encoder.finalize().slice() as Uint8Array<ArrayBuffer>);
      worker.postMessage({ type: "done", mp3: new Blob(parts, { type: "audio/mpeg" }) });
      break;
  }
}
