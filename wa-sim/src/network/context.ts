import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type { Logger } from "pino";
import type { MediaHost } from "../media/index.ts";
import type { MessageView } from "../messages/index.ts";
import type { Node } from "../protocol/index.ts";
import type { Journal } from "../storage/index.ts";
import { Faults } from "./faults.ts";
import { emptyStats } from "./stats.ts";

export interface NetworkOptions {
  /** Every plausible number has a WhatsApp account (numbers that end in 0000 never do). */
  autoCreatePersons: boolean;
  /** A new companion uploads all its 812 one-time keys, as on WhatsApp, rather than 5. */
  uploadAllPreKeys: boolean;
  /** Send the (empty) history that a first login waits for. Without it Baileys holds all events back for 20 s. */
  sendHistory: boolean;
  /** Messages kept per person; above it the oldest are dropped. */
  chatLimit: number;
}

export interface ContextParts {
  journal: Journal;
  log: Logger;
  /** Milliseconds since 1970. */
  clock: () => number;
  options: NetworkOptions;
  makeMedia: (faults: Faults) => MediaHost;
}

/** What every account, device and group works with: storage, media, clock, faults and counters. It knows no accounts. */
export class Context {
  readonly faults = new Faults();
  readonly stats = emptyStats();
  readonly unknownStanzas: Node[] = [];
  /** Each message that a person receives. */
  readonly messages = new EventEmitter<{ message: [message: MessageView] }>().setMaxListeners(0);
  /** Each stanza that a companion confirms. */
  readonly confirmations = new EventEmitter<{ confirmed: [] }>().setMaxListeners(0);

  readonly journal: Journal;
  readonly log: Logger;
  readonly clock: () => number;
  readonly options: NetworkOptions;
  readonly media: MediaHost;

  constructor(parts: ContextParts) {
    this.journal = parts.journal;
    this.log = parts.log;
    this.clock = parts.clock;
    this.options = parts.options;
    this.media = parts.makeMedia(this.faults);
  }

  seconds(): number {
    return Math.floor(this.clock() / 1000);
  }

  newId(prefix = "3A"): string {
    return prefix + randomBytes(9).toString("hex").toUpperCase();
  }
}
