import type { Address, JournalEntry, LineEvent, SendError } from "../../port.ts";
import { LeaseLostError } from "../../port.ts";
import { jidOf, personOf } from "../addresses.ts";
import type { Self } from "../addresses.ts";
import {
  DecryptionWatch,
  StoredCopies,
  callEvents,
  chatEvents,
  groupEvents,
  groupReceiptEvents,
  identityEvents,
  messageEvents,
  pictureEvents,
  receiptEvents,
  typingOf,
  unreadableEvents,
  withheldEvents,
} from "../inbound/index.ts";
import { FrameGate, Journal, KeyStore } from "../journal/index.ts";
import type { RawSocket } from "../journal/index.ts";
import { BufferJSON, makeWASocket, proto } from "../library.ts";
import type { AuthenticationCreds, BaileysEventMap, BinaryNode, WASocket } from "../library.ts";
import { Recipients, refusal, rememberUnknownLids } from "../outbound/index.ts";
import type { DecryptFailure } from "./library-log.ts";
import { socketConfig } from "./socket-config.ts";
import type { SocketParts } from "./socket-config.ts";

const OPEN = 1;
const CONNECTING = 0;
const DRAIN_MS = 5_000;
/** Stanzas that arrived and have not reached an event: bounded, because ignored ones never do. */
const MOST_NOTED = 5_000;
const MOST_FOLLOWED = 500;

let opened = 0;

export interface SessionParts extends SocketParts {
  /** False: keys are kept, what comes in is not. */
  readonly isTakingIn?: boolean;
  readonly onConnection: (update: BaileysEventMap["connection.update"]) => void;
  /** WhatsApp's server acknowledged, or refused. */
  readonly onAck: (waId: string, refused: SendError | null) => void;
  /** A stanza with content came in: the session is alive. */
  readonly onHeard: () => void;
  readonly onLeaseLost: () => void;
}

/**
 * One socket of a line with its journal (decision 0030). Only public objects of the library are touched: the inner
 * `ws`, `ev.emit`, the `frame` event, `messageMutex`, `signalRepository` and the key store.
 */
export class Session {
  readonly sock: WASocket;
  /** Asked before each send. */
  readonly recipients: Recipients;
  readonly #parts: SessionParts;
  readonly #journal: Journal;
  readonly #gate: FrameGate;
  readonly #decryption: DecryptionWatch;
  readonly #copies: StoredCopies;
  readonly #keys: KeyStore;
  readonly #raw: RawSocket;
  readonly #followed = new Set<string>();
  #openedAt = Infinity;
  /** When the phone said last that the app state is another one, by WhatsApp's clock: before the change itself is fetched. */
  #appStateAt: Date | undefined;
  /** Inbound stanzas that have not raised their event yet, with their attributes. */
  readonly #noted = new Map<string, BinaryNode["attrs"]>();
  /** Message stanzas by what is encrypted in them. */
  readonly #stanzas = new WeakMap<Uint8Array, BinaryNode>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { host, creds } = parts;
    opened += 1;
    this.#keys = new KeyStore(host, `${host.connectionId}#${opened}/`, (entry) => {
      this.put(entry);
    });
    this.#journal = new Journal({
      commit: (entries) =>
        host.commit(parts.isTakingIn === false ? entries.filter(({ kind }) => kind !== "event") : entries),
      halfDone: () => this.#decryption.current,
      letGo: () => this.#decryption.settle(),
      isReading: () => this.#keys.isReading,
      isWhole: () => this.#isOpening() || this.isOpen,
      onDurable: (position) => this.#gate.release(position),
      onCommitted: (entries) => this.#keys.retire(entries),
      isFatal: (error) => error instanceof LeaseLostError,
      onTrouble: (trouble, error) => this.#onTrouble(trouble, error),
    });
    this.recipients = new Recipients(this.#keys);
    this.sock = makeWASocket({
      ...socketConfig(parts, this.#keys, (failure) => this.#onDecryptFailure(failure)),
      userDevicesCache: this.recipients.lists,
      cachedGroupMetadata: this.recipients.groupOf,
    });
    // Replaced in the same tick, while it is still connecting: not one frame passes by.
    this.#decryption = new DecryptionWatch(this.sock, {
      onSettled: () => this.#journal.advance(),
      onAbandoned: (ciphertext) => this.#onAbandoned(ciphertext),
    });
    this.#copies = new StoredCopies(host, this.sock);
    rememberUnknownLids(this.sock.signalRepository.lidMapping);
    this.#raw = innerSocket(this.sock);
    this.#gate = new FrameGate(
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
    return this.#parts.creds;
  }

  get self(): Self {
    return personOf(this.creds.me?.id, this.creds.me?.lid);
  }

  /** Journals an entry; what depends on it waits for its commit. */
  put(entry: JournalEntry): void {
    this.#journal.put(entry);
    this.#journal.advance();
  }

  /** Asks WhatsApp to tell when this contact is typing, once for each socket. */
  async follow(chat: Address): Promise<void> {
    const jid = jidOf(chat);
    if (chat.kind !== "group" && !this.#followed.has(jid) && this.#followed.size < MOST_FOLLOWED) {
      this.#followed.add(jid);
      await this.sock.presenceSubscribe(jid);
    }
  }

  /** Until the messages in work are through, all is durable and no frame waits; at most five seconds. */
  async drain(): Promise<void> {
    const isDrained = (async () => {
      await this.sock.messageMutex.mutex(async () => this.#journal.advance());
      await turnsOfTheLoop();
      await this.#journal.whenIdle();
      await this.#gate.whenEmpty();
    })();
    await Promise.race([isDrained, new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]);
  }

  /** Closes the socket. Like a crash for what is half done; resolves when the rest is durable. */
  async close(): Promise<void> {
    this.#keys.close();
    this.#gate.close();
    const isSaved = this.#journal.freeze();
    void this.sock.end(undefined);
    await isSaved;
  }

  /** The lease is lost: closes without writing anything. */
  drop(): void {
    this.#keys.close();
    this.#gate.close();
    this.#journal.abandon();
    void this.sock.end(undefined);
  }

  #isOpening(): boolean {
    return this.#raw.readyState === CONNECTING;
  }

  #listen(creds: AuthenticationCreds): void {
    const { ws, ev } = this.sock;
    const { onConnection, onHeard, host } = this.#parts;
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
        onHeard();
      }
      if (frame.attrs.type === "server_sync" && Number(frame.attrs.t) > 0) {
        this.#appStateAt = new Date(Number(frame.attrs.t) * 1_000);
      }
      if (frame.tag === "message" && frame.attrs.id) {
        this.#note(frame.attrs.id, frame.attrs);
        for (const { content } of Array.isArray(frame.content) ? frame.content : []) {
          if (content instanceof Uint8Array) {
            this.#stanzas.set(content, frame);
          }
        }
        // Before the library has acknowledged it: the frame waits for what is journaled here.
        this.#putEvents(withheldEvents(frame, creds.me ?? { id: "" }));
        this.#copies.note(frame.attrs.id, frame.attrs.from, frame.attrs.offline !== undefined);
      }
    });
    ws.on("CB:ack,class:message", ({ attrs }: BinaryNode) => {
      if (attrs.id) {
        this.#onAck(attrs.id, attrs.error === undefined ? null : refusal(attrs.error));
      }
    });
  }

  /** A refusal that may pass is not journaled: whoever sends tries again, and says in the end what became of it. */
  #onAck(waId: string, refused: SendError | null): void {
    if (!refused?.canRetry) {
      const reason = refused?.reason ?? null;
      this.#putEvents([{ type: "status", waIds: [waId], status: refused ? -1 : 1, reason }]);
    }
    this.#parts.onAck(waId, refused);
  }

  /** Before the library's event buffer, which would hold events back for up to 20 s. */
  #beforeEvent<E extends keyof BaileysEventMap>(event: E, data: BaileysEventMap[E]): void {
    const raised = { [event]: data } as Partial<BaileysEventMap>;
    if (raised["messages.upsert"]) {
      this.#onMessages(raised["messages.upsert"]);
      return;
    }
    if (raised["connection.update"]?.connection === "open") {
      this.#openedAt = performance.now();
    }
    this.#putEvents([...eventsOf(raised, this.self), ...this.#markEvents(raised["chats.update"] ?? [])]);
  }

  /**
   * A mark does not say of which messages it is, and it is fetched while others come: what is not read must not be taken for
   * read. It counts up to its notice; after a time away, where several marks come by one notice, not at all.
   */
  #markEvents(chats: BaileysEventMap["chats.update"]): LineEvent[] {
    const isBack = performance.now() - this.#openedAt < this.#parts.timing.marksMs;
    return isBack ? [] : chatEvents(chats, this.#appStateAt ?? new Date());
  }

  #onMessages({ messages, type }: BaileysEventMap["messages.upsert"]): void {
    for (const message of messages) {
      for (const event of messageEvents(message, type === "append", this.self)) {
        this.#journal.put({ kind: "event", event });
      }
      // A retry may come before the stub of the first try was raised: then one note serves two stanzas.
      const isInWork = this.#stanzaOf(this.#decryption.ciphertext)?.attrs.id === message.key.id;
      if (!this.#noted.delete(message.key.id ?? "") && !isInWork) {
        this.#journal.advance();
        continue;
      }
      if (!this.#gate.hasUnsettled && this.isOpen) {
        this.#parts.host.onAlarm("order");
      }
      this.#journal.cutHere();
      this.#decryption.settle();
    }
  }

  /**
   * Nothing of this message was kept, so nothing waits for it. The library asks for it again, unless its key is used up
   * (487): normal for a second copy of a stored message; otherwise the message is lost. Told as one that cannot be
   * read: a stub never covers content, and a lost message is seen by a person.
   */
  #onDecryptFailure({ key, isUsedKey }: DecryptFailure): void {
    this.#decryption.settle();
    if (!isUsedKey) {
      return;
    }
    const attrs = this.#noted.get(key.id ?? "");
    const stub = {
      key,
      messageTimestamp: Number(attrs?.t ?? 0),
      messageStubType: CIPHERTEXT,
      pushName: attrs?.notify,
      category: attrs?.category,
    };
    this.#putEvents(messageEvents(stub, attrs?.offline !== undefined, this.self));
  }

  #stanzaOf(ciphertext: Uint8Array | undefined): BinaryNode | undefined {
    return ciphertext && this.#stanzas.get(ciphertext);
  }

  /** Its key is used up, the library raises nothing, and refuses it: it is told, so that a person looks at the phone. */
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

  #note(id: string, attrs: BinaryNode["attrs"]): void {
    this.#noted.set(id, attrs);
    if (this.#noted.size > MOST_NOTED) {
      this.#noted.delete(this.#noted.keys().next().value ?? "");
    }
  }

  #onTrouble(trouble: "commitFailed" | "boundFired", error?: unknown): void {
    const { host, onLeaseLost } = this.#parts;
    if (error instanceof LeaseLostError) {
      onLeaseLost();
      return;
    }
    host.onAlarm(trouble === "boundFired" ? "stuck" : "commit", error);
  }
}

const { CIPHERTEXT } = proto.WebMessageInfo.StubType;

function eventsOf(raised: Partial<BaileysEventMap>, self: Self): LineEvent[] {
  return [
    ...receiptEvents(raised["messages.update"] ?? []),
    ...groupReceiptEvents(raised["message-receipt.update"] ?? [], self),
    ...callEvents(raised.call ?? []),
    ...groupEvents([...(raised["groups.update"] ?? []), ...(raised["groups.upsert"] ?? [])]),
    ...pictureEvents(raised["contacts.update"] ?? []),
    ...identityEvents(raised["lid-mapping.update"] ? [raised["lid-mapping.update"]] : []),
    ...identityEvents(raised["messaging-history.set"]?.lidPnMappings ?? []),
  ];
}

function innerSocket({ ws }: WASocket): RawSocket {
  const inner = (ws as unknown as { readonly socket: RawSocket | null }).socket;
  if (!inner) {
    throw new Error("The library has no socket: is it still version 7.0.0-rc14?");
  }
  return inner;
}

/** A frame knows what it waits for two turns after it was written. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
