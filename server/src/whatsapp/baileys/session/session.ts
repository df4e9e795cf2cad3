import type { Address, JournalEntry, LineEvent, SendError } from "../../port.ts";
import { LeaseLostError } from "../../port.ts";
import { chatJidOf, jidOf, personOf } from "../addresses.ts";
import type { Self } from "../addresses.ts";
import {
  Backlog,
  DecryptionWatch,
  RetrySuppressor,
  callEvents,
  readMarkEvents,
  groupEvents,
  groupReceiptEvents,
  identityEvents,
  messageEvents,
  pictureEvents,
  receiptEvents,
  typingOf,
  unreadableEvents,
  unavailableEvents,
} from "../inbound/index.ts";
import { WriteBarrier, Journal, KeyStore } from "../journal/index.ts";
import type { RawSocket } from "../journal/index.ts";
import { BufferJSON, makeWASocket, proto } from "../library.ts";
import type { AuthenticationCreds, BaileysEventMap, BinaryNode, WASocket } from "../library.ts";
import { RecipientDevices, refusalError, cacheUnknownLids } from "../outbound/index.ts";
import type { DecryptFailure } from "./library-log.ts";
import { socketConfig } from "./socket-config.ts";
import type { SocketOptions } from "./socket-config.ts";

const OPEN = 1;
const CONNECTING = 0;
const DRAIN_MS = 5_000;
/** Stanzas that arrived and have not raised their event: bounded, because ignored stanzas never raise one. */
const MAX_PENDING_STANZAS = 5_000;
const MAX_PRESENCE_SUBSCRIPTIONS = 500;
/**
 * What waited while the line was down is one commit, unless its reading pauses for this long: after its first login the
 * library asks WhatsApp something before it goes on, and frames wait for the commit.
 */
const BACKLOG_PAUSE_MS = 150;

let openedCount = 0;

export interface SessionOptions extends SocketOptions {
  /** False: keys and credentials are stored, events are not. */
  readonly storesEvents?: boolean;
  readonly onConnection: (update: BaileysEventMap["connection.update"]) => void;
  /** WhatsApp announced the allowance of new conversations, in its own words. */
  readonly onQuota: (info: unknown) => void;
  /** WhatsApp's server acknowledged a message (null), or refused it. */
  readonly onAck: (waId: string, refused: SendError | null) => void;
  /** A message, receipt or notification came in: the session is alive. */
  readonly onReceived: () => void;
  readonly onLeaseLost: () => void;
  /** A key cannot be opened any more. Called before the library hears of it. */
  readonly onKeysLost: () => void;
}

/**
 * One socket of a line with its journal (decision 0030). Only public objects of the library are touched: the inner
 * `ws`, `ev.emit`, the `frame` event, `messageMutex`, `signalRepository` and the key store.
 */
export class Session {
  readonly sock: WASocket;
  /** Its sessions are ensured before each send. */
  readonly recipients: RecipientDevices;
  readonly #options: SessionOptions;
  readonly #journal: Journal;
  readonly #barrier: WriteBarrier;
  readonly #decryption: DecryptionWatch;
  readonly #retrySuppressor: RetrySuppressor;
  readonly #backlog: Backlog;
  readonly #keys: KeyStore;
  readonly #raw: RawSocket;
  readonly #presenceSubscriptions = new Set<string>();
  #openedAt = Infinity;
  /** When the app state changed last, by WhatsApp's clock, as its notification says before the change itself is fetched. */
  #appStateChangedAt: Date | undefined;
  /** Attributes of inbound stanzas that have not raised their event yet, by message id. */
  readonly #pendingStanzas = new Map<string, BinaryNode["attrs"]>();
  /** Message stanzas by their ciphertext. */
  readonly #stanzaByCiphertext = new WeakMap<Uint8Array, BinaryNode>();

  constructor(options: SessionOptions) {
    this.#options = options;
    const { host, creds } = options;
    openedCount += 1;
    const cachePrefix = `${host.connectionId}#${openedCount}/`;
    this.#keys = new KeyStore(host, cachePrefix, (entry) => this.put(entry), options.onKeysLost);
    this.#journal = new Journal({
      commit: (entries) =>
        host.commit(options.storesEvents === false ? entries.filter(({ kind }) => kind !== "event") : entries),
      messageInWork: () => this.#decryption.current,
      abandonMessageInWork: () => this.#decryption.settle(),
      isReading: () => this.#keys.isReading,
      isSocketAlive: () => this.#isOpening() || this.isOpen,
      onDurable: (position) => this.#barrier.release(position),
      onCommitted: (entries) => this.#keys.markDurable(entries),
      isFatal: (error) => error instanceof LeaseLostError,
      onProblem: (problem, error) => this.#onJournalProblem(problem, error),
    });
    this.#backlog = new Backlog({
      onProgress: () => this.#journal.hold(BACKLOG_PAUSE_MS),
      onComplete: () => this.#journal.release(),
    });
    this.recipients = new RecipientDevices(this.#keys);
    this.sock = makeWASocket({
      ...socketConfig(options, this.#keys, (failure) => this.#onDecryptFailure(failure)),
      userDevicesCache: this.recipients.deviceLists,
      cachedGroupMetadata: this.recipients.cachedGroup,
    });
    // Hooked in the same tick, while the socket is still connecting: no frame is missed.
    this.#decryption = new DecryptionWatch(this.sock, {
      onSettled: () => this.#journal.advance(),
      onAbandoned: (ciphertext) => this.#onAbandoned(ciphertext),
    });
    this.#retrySuppressor = new RetrySuppressor(host, this.sock);
    cacheUnknownLids(this.sock.signalRepository.lidMapping);
    this.#raw = rawSocketOf(this.sock);
    this.#barrier = new WriteBarrier(
      this.#raw,
      () => this.#journal.position,
      () => this.#journal.advance(),
    );
    this.#listen(creds);
  }

  get isOpen(): boolean {
    return this.#raw.readyState === OPEN;
  }

  get creds(): AuthenticationCreds {
    return this.#options.creds;
  }

  get self(): Self {
    return personOf(this.creds.me?.id, this.creds.me?.lid);
  }

  /** Journals an entry; frames that depend on it wait for its commit. */
  put(entry: JournalEntry): void {
    this.#journal.put(entry);
    this.#journal.advance();
  }

  /** Subscribes to the presence of a contact (typing), once for each socket. */
  async subscribePresence(chat: Address): Promise<void> {
    const jid = jidOf(chat);
    if (
      chat.kind !== "group" &&
      !this.#presenceSubscriptions.has(jid) &&
      this.#presenceSubscriptions.size < MAX_PRESENCE_SUBSCRIPTIONS
    ) {
      this.#presenceSubscriptions.add(jid);
      await this.sock.presenceSubscribe(jid);
    }
  }

  /** Resolves when the messages in work are done, the journal is durable and no frame waits; after five seconds at most. */
  async drain(): Promise<void> {
    this.#backlog.complete();
    const isDrained = (async () => {
      await this.sock.messageMutex.mutex(async () => this.#journal.advance());
      await eventLoopTurns();
      await this.#journal.whenIdle();
      await this.#barrier.whenEmpty();
    })();
    await Promise.race([isDrained, new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]);
  }

  /** Closes the socket. A message in work is lost as in a crash; resolves when the rest is durable. */
  async close(): Promise<void> {
    this.#keys.close();
    this.#barrier.close();
    const isSaved = this.#journal.freeze();
    void this.sock.end(undefined);
    await isSaved;
  }

  /** Closes without writing anything: the lease is lost. */
  drop(): void {
    this.#keys.close();
    this.#barrier.close();
    this.#journal.abandon();
    void this.sock.end(undefined);
  }

  #isOpening(): boolean {
    return this.#raw.readyState === CONNECTING;
  }

  #listen(creds: AuthenticationCreds): void {
    const { ws, ev } = this.sock;
    const { onConnection, onQuota, onReceived, host } = this.#options;
    const emit = ev.emit.bind(ev);
    const hook = <E extends keyof BaileysEventMap>(event: E, data: BaileysEventMap[E]): boolean => {
      if (event === "creds.update") {
        // Baileys merges the update into `creds` while it emits.
        const isTaken = emit(event, data);
        this.put({ kind: "creds", value: JSON.stringify(creds, BufferJSON.replacer) });
        return isTaken;
      }
      this.#beforeEvent(event, data);
      return emit(event, data);
    };
    ev.emit = hook;

    ev.on("connection.update", onConnection);
    ev.on("message-capping.update", onQuota);
    ev.on("presence.update", (update) => {
      const typing = typingOf(update);
      if (typing) {
        host.onTyping(typing.person, typing.isTyping);
      }
    });
    ws.on("frame", (frame: BinaryNode | Uint8Array) => {
      if (frame instanceof Uint8Array) {
        return;
      }
      if (frame.tag === "message" || frame.tag === "receipt" || frame.tag === "notification") {
        onReceived();
      }
      if (frame.attrs.type === "server_sync" && Number(frame.attrs.t) > 0) {
        this.#appStateChangedAt = new Date(Number(frame.attrs.t) * 1_000);
      }
      if (frame.tag === "message" && frame.attrs.id) {
        this.#rememberStanza(frame.attrs.id, frame.attrs);
        for (const { content } of Array.isArray(frame.content) ? frame.content : []) {
          if (content instanceof Uint8Array) {
            this.#stanzaByCiphertext.set(content, frame);
          }
        }
        // Before the library acknowledges it: the frame of the acknowledgement waits for what is journaled here.
        this.#putEvents(unavailableEvents(frame, creds.me ?? { id: "" }));
        const chatJid = chatJidOf(frame.attrs.from, frame.attrs.participant);
        this.#retrySuppressor.recordStanza(frame.attrs.id, chatJid, frame.attrs.offline !== undefined);
        if (frame.attrs.offline !== undefined) {
          this.#backlog.add(frame.attrs.id);
        }
      }
    });
    ws.on("CB:ib,,offline", () => this.#backlog.end());
    ws.on("CB:ack,class:message", ({ attrs }: BinaryNode) => {
      if (attrs.id) {
        this.#onAck(attrs.id, attrs.error === undefined ? null : refusalError(attrs.error));
      }
    });
  }

  /** A refusal that can be retried is not journaled: the sender retries, and reports the final result. */
  #onAck(waId: string, refused: SendError | null): void {
    if (!refused?.canRetry) {
      const reason = refused?.reason ?? null;
      this.#putEvents([{ type: "status", waIds: [waId], status: refused ? -1 : 1, reason }]);
    }
    this.#options.onAck(waId, refused);
  }

  /** Runs ahead of the library's event buffer, which holds events back for up to 20 s. */
  #beforeEvent<E extends keyof BaileysEventMap>(event: E, data: BaileysEventMap[E]): void {
    const raised = { [event]: data } as Partial<BaileysEventMap>;
    if (raised["messages.upsert"]) {
      this.#onMessages(raised["messages.upsert"]);
      return;
    }
    if (raised["connection.update"]?.connection === "open") {
      this.#openedAt = performance.now();
    }
    this.#putEvents([...eventsOf(raised, this.self), ...this.#readMarkEvents(raised["chats.update"] ?? [])]);
  }

  /**
   * A chat marked as read does not name its messages, and is fetched while others arrive: unread ones must not be taken for
   * read. It counts for messages up to its notification; shortly after a reconnect, where one notification stands for
   * several marks, it is ignored.
   */
  #readMarkEvents(chats: BaileysEventMap["chats.update"]): LineEvent[] {
    const hasJustConnected = performance.now() - this.#openedAt < this.#options.timing.readMarksAfterMs;
    return hasJustConnected ? [] : readMarkEvents(chats, this.#appStateChangedAt ?? new Date());
  }

  #onMessages({ messages, type }: BaileysEventMap["messages.upsert"]): void {
    for (const message of messages) {
      for (const event of messageEvents(message, type === "append", this.self)) {
        this.#journal.put({ kind: "event", event });
      }
      // A retry may arrive before the placeholder of the first attempt was raised: both stanzas have one pending entry.
      const isInWork = this.#stanzaOf(this.#decryption.ciphertext)?.attrs.id === message.key.id;
      if (!this.#pendingStanzas.delete(message.key.id ?? "") && !isInWork) {
        this.#journal.advance();
        continue;
      }
      if (!this.#barrier.hasUnpositionedFrames && this.isOpen) {
        this.#options.host.onAlarm("order");
      }
      this.#journal.cutHere();
      this.#decryption.settle();
      this.#backlog.settle(message.key.id ?? "");
    }
  }

  /**
   * A message that was not decrypted moved no ratchet, so no cut waits for it. The library requests a retry, unless its
   * key is used up (487): normal for a redelivered message that is stored; otherwise the message is lost. It is journaled
   * as undecryptable: a placeholder never replaces stored content, and a person sees a lost message.
   */
  #onDecryptFailure({ key, isUsedKey }: DecryptFailure): void {
    this.#decryption.settle();
    // The library may request a retry now, whose frames wait for what is journaled.
    this.#backlog.complete();
    if (!isUsedKey) {
      return;
    }
    const attrs = this.#pendingStanzas.get(key.id ?? "");
    const placeholder = {
      key,
      messageTimestamp: Number(attrs?.t ?? 0),
      messageStubType: CIPHERTEXT,
      pushName: attrs?.notify,
      category: attrs?.category,
    };
    this.#putEvents(messageEvents(placeholder, attrs?.offline !== undefined, this.self));
  }

  #stanzaOf(ciphertext: Uint8Array | undefined): BinaryNode | undefined {
    return ciphertext && this.#stanzaByCiphertext.get(ciphertext);
  }

  /** The library refuses the message without an event, and its key is used up: journaled as unreadable for a person to see. */
  #onAbandoned(ciphertext: Uint8Array): void {
    const stanza = this.#stanzaOf(ciphertext);
    if (stanza && this.isOpen) {
      this.#putEvents(unreadableEvents(stanza, this.creds.me ?? { id: "" }));
    }
  }

  #putEvents(events: readonly LineEvent[]): void {
    for (const event of events) {
      this.#journal.put({ kind: "event", event });
    }
    if (events.length > 0) {
      this.#journal.advance();
    }
  }

  #rememberStanza(id: string, attrs: BinaryNode["attrs"]): void {
    this.#pendingStanzas.set(id, attrs);
    if (this.#pendingStanzas.size > MAX_PENDING_STANZAS) {
      this.#pendingStanzas.delete(this.#pendingStanzas.keys().next().value ?? "");
    }
  }

  #onJournalProblem(problem: "commitFailed" | "messageStuck", error?: unknown): void {
    const { host, onLeaseLost } = this.#options;
    if (error instanceof LeaseLostError) {
      onLeaseLost();
      return;
    }
    host.onAlarm(problem === "messageStuck" ? "stuck" : "commit", error);
  }
}

const { CIPHERTEXT } = proto.WebMessageInfo.StubType;

function eventsOf(raised: Partial<BaileysEventMap>, self: Self): LineEvent[] {
  return [
    ...receiptEvents(raised["messages.update"] ?? []),
    ...groupReceiptEvents(raised["message-receipt.update"] ?? [], self),
    ...callEvents(raised.call ?? [], self),
    ...groupEvents([...(raised["groups.update"] ?? []), ...(raised["groups.upsert"] ?? [])]),
    ...pictureEvents(raised["contacts.update"] ?? []),
    ...identityEvents(raised["lid-mapping.update"] ? [raised["lid-mapping.update"]] : []),
    ...identityEvents(raised["messaging-history.set"]?.lidPnMappings ?? []),
  ];
}

function rawSocketOf({ ws }: WASocket): RawSocket {
  const inner = (ws as unknown as { readonly socket: RawSocket | null }).socket;
  if (!inner) {
    throw new Error("The library has no socket: is it still version 7.0.0-rc14?");
  }
  return inner;
}

/** The position that a frame waits for is known two turns after it was written. */
async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
