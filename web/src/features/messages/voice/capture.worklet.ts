/** Audio worklet: posts the microphone's samples to the page in chunks. */

/** The worklet globals used here, which TypeScript's library lacks. */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** About 43 ms at 48 kHz: often enough for a level meter, without flooding the page with messages. */
const chunkFrames = 2_048;

class Capture extends AudioWorkletProcessor {
  #chunk = new Float32Array(chunkFrames);
  #filled = 0;

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (samples) {
      this.#chunk.set(samples, this.#filled);
      this.#filled += samples.length;
      if (this.#filled === chunkFrames) {
        this.port.postMessage(this.#chunk, [this.#chunk.buffer]);
        this.#chunk = new Float32Array(chunkFrames);
        this.#filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("capture", Capture);
