interface BacklogOptions {
  /** A message of the offline queue has arrived or has raised its event, and others are to come. */
  readonly onProgress: () => void;
  /** All messages of the offline queue have raised their event, or it is not worth waiting for the others. */
  readonly onComplete: () => void;
}

/**
 * The messages that waited at WhatsApp while the line was down (whatsapp.md, 4.8). The library raises them one by one; the
 * bot answers what a person said meanwhile as one turn (decision 0143), so they are to be stored together.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  readonly #pending = new Set<string>();
  #state: "expected" | "arriving" | "arrived" | "complete" = "expected";

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** A stanza of the offline queue has arrived. */
  add(waId: string): void {
    if (this.#state === "expected") {
      this.#state = "arriving";
    }
    if (this.#state === "arriving") {
      this.#pending.add(waId);
      this.#options.onProgress();
    }
  }

  /** WhatsApp has sent the whole offline queue; the library may still be reading it. */
  end(): void {
    if (this.#state === "arriving") {
      this.#state = "arrived";
      this.#completeIfRead();
    }
  }

  /** A message has raised its event. */
  settle(waId: string): void {
    if (this.#pending.delete(waId)) {
      this.#options.onProgress();
      this.#completeIfRead();
    }
  }

  /** Nothing more is waited for: all is read, or frames must go out first. */
  complete(): void {
    if (this.#state !== "complete") {
      this.#state = "complete";
      this.#pending.clear();
      this.#options.onComplete();
    }
  }

  #completeIfRead(): void {
    if (this.#state === "arrived" && this.#pending.size === 0) {
      this.complete();
    }
  }
}
