import { pino } from "pino";
import { systemClock } from "#server/platform/clock/index.ts";
import type {
  InboundMessage,
  JournalEntry,
  LineAlarm,
  LineEvent,
  LineHost,
  LineLimit,
  LineState,
  PersonRef,
  PlacedId,
} from "#server/whatsapp/port.ts";

/** State of a line that survives a crash of its process. */
export interface DurableState {
  creds: string | null;
  readonly keys: Map<string, string>;
  readonly sent: Map<string, Uint8Array>;
  /** As in the messages table: unique by chat, id and direction; a placeholder never replaces content. */
  readonly messages: Map<string, InboundMessage>;
}

/** A LineHost in memory. Tests can make its commits fail, wait, or crash the process. */
export class MemoryHost implements LineHost {
  readonly connectionId: number;
  readonly log = pino({ level: "silent" });
  readonly clock = systemClock;
  readonly durable: DurableState;
  readonly events: LineEvent[] = [];
  readonly states: LineState[] = [];
  readonly limits: LineLimit[] = [];
  readonly notes: string[] = [];
  readonly typing: { person: PersonRef; isTyping: boolean }[] = [];
  commits = 0;
  /** Called before each commit; throw to refuse it, wait to delay it. */
  beforeCommit: (entries: readonly JournalEntry[]) => Promise<void> | void = () => undefined;
  /** Called after the commit is stored, before it resolves. */
  afterCommit: (entries: readonly JournalEntry[]) => Promise<void> | void = () => undefined;
  #watchers: (() => void)[] = [];

  constructor(
    connectionId = 1,
    durable: DurableState = { creds: null, keys: new Map(), sent: new Map(), messages: new Map() },
  ) {
    this.connectionId = connectionId;
    this.durable = durable;
  }

  get messages(): InboundMessage[] {
    return [...this.durable.messages.values()];
  }

  get texts(): string[] {
    return this.messages.map(({ content }) => (content.kind === "text" ? content.text : content.kind));
  }

  async loadCreds(): Promise<{ value: string; isStale: boolean } | null> {
    return this.durable.creds === null ? null : { value: this.durable.creds, isStale: false };
  }

  async loadKeys(type: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = ids.map((id) => [id, this.durable.keys.get(`${type}/${id}`)] as const);
    return new Map(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  async commit(entries: readonly JournalEntry[]): Promise<void> {
    await this.beforeCommit(entries);
    this.commits += 1;
    for (const entry of entries) {
      this.#store(entry);
    }
    await this.afterCommit(entries);
    this.#changed();
  }

  async isNumberTaken(): Promise<boolean> {
    return false;
  }

  async forget(): Promise<void> {
    this.durable.creds = null;
    this.durable.keys.clear();
  }

  async findSentPayload(waId: string): Promise<Uint8Array | null> {
    return this.durable.sent.get(waId) ?? null;
  }

  async findStored(messages: readonly PlacedId[]): Promise<string[]> {
    const isSeen = ({ waId, chat }: InboundMessage) =>
      messages.some((seen) => seen.waId === waId && seen.chat.kind === chat.kind && seen.chat.value === chat.value);
    return this.messages
      .filter((message) => isSeen(message) && !message.fromMe && message.content.kind !== "undecryptable")
      .map(({ waId }) => waId);
  }

  onState(state: LineState): void {
    this.states.push(state);
    this.#changed();
  }

  onLimit(limit: LineLimit): void {
    this.limits.push(limit);
    this.#changed();
  }

  onTyping(person: PersonRef, isTyping: boolean): void {
    this.typing.push({ person, isTyping });
    this.#changed();
  }

  onAlarm(alarm: LineAlarm): void {
    // Failing commits are provoked by many tests, so this alarm is not recorded.
    if (alarm !== "commit") {
      this.onNote("alarm", alarm);
    }
  }

  onNote(event: string, detail = ""): void {
    this.notes.push(`${event}: ${detail}`);
    this.#changed();
  }

  /** Resolves with the first result of `look` that is neither undefined nor false; checks after every change. */
  waitUntil<T>(look: () => T | undefined | false, timeoutMs = 60_000): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`timed out after ${timeoutMs} ms; last state ${JSON.stringify(this.states.at(-1))}`)),
        timeoutMs,
      );
      const tryAgain = (): void => {
        const found = look();
        if (found !== undefined && found !== false) {
          clearTimeout(timer);
          this.#watchers = this.#watchers.filter((each) => each !== tryAgain);
          resolve(found);
        }
      };
      this.#watchers.push(tryAgain);
      tryAgain();
    });
  }

  waitForState<S extends LineState["status"]>(status: S): Promise<Extract<LineState, { status: S }>> {
    return this.waitUntil(() => {
      const last = this.states.at(-1);
      return last?.status === status ? (last as Extract<LineState, { status: S }>) : undefined;
    });
  }

  waitForText(text: string): Promise<InboundMessage> {
    return this.waitUntil(() => this.messages.find(({ content }) => content.kind === "text" && content.text === text));
  }

  waitForEvent<T extends LineEvent["type"]>(
    type: T,
    isWanted: (event: Extract<LineEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<LineEvent, { type: T }>> {
    return this.waitUntil(() =>
      this.events.find((event): event is Extract<LineEvent, { type: T }> => {
        return event.type === type && isWanted(event as Extract<LineEvent, { type: T }>);
      }),
    );
  }

  #store(entry: JournalEntry): void {
    switch (entry.kind) {
      case "creds":
        this.durable.creds = entry.value;
        return;
      case "sent":
        this.durable.sent.set(entry.waId, entry.payload);
        return;
      case "keys":
        for (const { type, id, value } of entry.writes) {
          if (value === null) {
            this.durable.keys.delete(`${type}/${id}`);
          } else {
            this.durable.keys.set(`${type}/${id}`, value);
          }
        }
        return;
      case "event":
        this.events.push(entry.event);
        if (entry.event.type === "message") {
          this.#storeMessage(entry.event.message);
        }
    }
  }

  #storeMessage(message: InboundMessage): void {
    const key = `${message.chat.value}/${message.waId}/${message.fromMe}`;
    const old = this.durable.messages.get(key);
    if (!old || (old.content.kind === "undecryptable" && message.content.kind !== "undecryptable")) {
      this.durable.messages.set(key, message);
    }
  }

  #changed(): void {
    for (const look of [...this.#watchers]) {
      look();
    }
  }
}
