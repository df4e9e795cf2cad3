/** Runs where sound is computed: hands what the microphone hears to the page, in pieces. */

/** Of the worklet's own globals, what is used here: TypeScript does not know them. */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** About 43 ms at 48 kHz: often enough for a level meter, seldom enough for a busy page. */
const pieceFrames = 2_048;

class Capture extends AudioWorkletProcessor {
  #piece = new Float32Array(pieceFrames);
  #filled = 0;

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (samples) {
      this.#piece.set(samples, this.#filled);
      this.#filled += samples.length;
      if (this.#filled === pieceFrames) {
        this.port.postMessage(this.#piece, [this.#piece.buffer]);
        this.#piece = new Float32Array(pieceFrames);
        this.#filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("capture", Capture);
