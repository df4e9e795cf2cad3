import { proto } from "baileys";
import {
  deliverGroupMessage,
  deliverMessage,
  deliverReceipt,
  deliverWithheld,
  editAttribute,
  placeCall,
  receiptKey,
} from "../delivery/index.ts";
import type { Call, CallOptions, Withheld } from "../delivery/index.ts";
import { buildMessage, Chats, isAction, quotedBy, readMessage } from "../messages/index.ts";
import type { Content, MessageView, Status, StoredMessage } from "../messages/index.ts";
import { notifyPicture, User } from "../network/index.ts";
import type { Companion, Group, Network, UserRecord } from "../network/index.ts";
import { bigEndian, node } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";
import { decryptMessage } from "./decrypt-message.ts";
import type { EncryptedPart } from "./decrypt-message.ts";

// The limit of WhatsApp's clients; after it the message stays undecrypted.
const MAX_RETRIES = 5;

/** A message from before the network started. */
export interface HistoryMessage {
  id: string;
  isOwn: boolean;
  /** Milliseconds since 1970. */
  at: number;
  content: Content;
  status: Status;
}

export interface SentMessage {
  id: string;
  /** Resolves when a device of the line confirms the message. */
  delivered: Promise<void>;
}

interface SendOptions {
  id?: string;
  /** The id of a broadcast list of this person's, through which a line gets the message. */
  list?: string;
}

/** A customer who exchanges messages with lines. */
export class Person extends User {
  /** Receipts that this person's phone sends automatically. */
  autoReceipts: "none" | "delivered" | "read" = "delivered";
  readonly #network: Network;
  readonly #chats: Chats;
  /** Resolvers of `delivered` by message id. */
  readonly #onDelivered = new Map<string, () => void>();
  #sending: Promise<unknown> = Promise.resolve();
  /** Number of retry receipts by message id. */
  readonly #retries = new Map<string, number>();

  constructor(network: Network, record: UserRecord) {
    super(network, record);
    this.#network = network;
    this.#chats = new Chats(this.number, network.journal, network.options.chatLimit);
  }

  /** Sets the picture and notifies the lines that this person has a chat with. */
  override setPicture(bytes: Uint8Array | null): void {
    super.setPicture(bytes);
    const chatLines = new Set([...this.#chats.all()].map(({ line }) => line));
    const lines = this.#network.lines().filter(({ number }) => chatLines.has(number));
    notifyPicture(this.#network, this.jid, lines, bytes !== null);
    this.#network.journal.flush();
  }

  /** Restores a message from the journal. */
  restore(message: StoredMessage): void {
    this.#chats.restore(message);
  }

  /**
   * Sends to a line or a group. Resolves when the server has the message, not when the line does. Messages of one person
   * are sent in the order of the calls.
   */
  sends(to: string | Group, content: Content, options: SendOptions = {}): Promise<SentMessage> {
    const turn = this.#sending.then(() => this.#send(to, content, options));
    this.#sending = turn.catch(() => undefined);
    return turn;
  }

  async #send(to: string | Group, content: Content, { list, ...options }: SendOptions): Promise<SentMessage> {
    const id = options.id ?? this.#network.newId();
    const group = typeof to === "string" ? undefined : to;
    const line = typeof to === "string" ? this.#network.line(to) : to.lines[0];
    if (!line) {
      throw new Error("the group has no line");
    }
    const chat = group?.jid ?? line.jidFor(this.addressing);
    const message = await buildMessage(content, {
      media: this.#network.media,
      chat,
      find: (one) => this.findQuotable(one),
    });
    this.#record(message, { id, line: line.number, group: group?.jid, isOwn: true });
    const delivered = new Promise<void>((resolve) => this.#onDelivered.set(id, resolve));
    if (group) {
      this.#deliverToMembers(group, message, id);
      for (const member of group.lines) {
        await deliverGroupMessage(this.#network, group, member.companions(), this, message, id);
      }
    } else {
      await deliverMessage(this.#network, line.companions(), this, message, {
        id,
        ...(list === undefined
          ? { from: this.jid, ...this.alternativeAddress("sender") }
          : { from: `${list}@broadcast`, participant: this.jid, ...this.alternativeAddress("participant") }),
        notify: this.name,
        addressing_mode: this.addressing,
        ...editAttribute(message),
      });
    }
    this.#network.journal.flush();
    return { id, delivered };
  }

  /** Sends a message whose content WhatsApp withholds from linked devices, `ageSeconds` ago. */
  withholds(to: string, what: Withheld, options: { id?: string; ageSeconds?: number } = {}): { id: string } {
    const id = options.id ?? this.#network.newId();
    deliverWithheld(this.#network, this.#network.line(to).companions(), what, {
      id,
      from: this.jid,
      notify: this.name,
      addressing_mode: this.addressing,
      ...this.alternativeAddress("sender"),
      t: this.#network.seconds() - (options.ageSeconds ?? 0),
    });
    this.#network.journal.flush();
    return { id };
  }

  /** Adds earlier messages with a line, or in a group, to this person's chats, in the given order, without events. */
  async importHistory(line: string, past: HistoryMessage[], group?: Group): Promise<void> {
    const account = this.#network.line(line);
    const about = { media: this.#network.media, chat: group?.jid ?? account.jidFor(this.addressing) };
    for (const { id, isOwn, at, content, status } of past) {
      const message = await buildMessage(content, { ...about, find: (one) => this.findQuotable(one) });
      this.#record(message, { id, line: account.number, group: group?.jid, isOwn }, { at, status });
    }
    this.#network.journal.flush();
  }

  /** What this person and a line have written to each other, groups aside. */
  chatStateWith(line: string): { hasWritten: boolean; hasChat: boolean } {
    const all = [...this.#chats.all()].filter((message) => message.line === line && message.group === undefined);
    return { hasWritten: all.some(({ isOwn }) => isOwn), hasChat: all.length > 0 };
  }

  /** Received messages, oldest first, of one line or of all. */
  inbox(from?: string): MessageView[] {
    return this.chat(from).filter((message) => !message.isOwn);
  }

  /** Sent and received messages, of one line or of all. */
  chat(line?: string): MessageView[] {
    const number = line === undefined ? undefined : this.#network.line(line).number;
    const shown = [...this.#chats.all()].filter(
      (message) => !isAction(message.content) && (number === undefined || message.line === number),
    );
    return shown.map((message) => this.#chats.view(message));
  }

  message(id: string): MessageView | undefined {
    const stored = this.#chats.get(id);
    return stored && this.#chats.view(stored);
  }

  /** Waits for a received message (also edits, revokes, reactions); an earlier one counts. Rejects after `timeoutMs`. */
  receives(wanted: (message: MessageView) => boolean, options: { timeoutMs?: number } = {}): Promise<MessageView> {
    for (const stored of this.#chats.all()) {
      if (!stored.isOwn && wanted(this.#chats.view(stored))) {
        return Promise.resolve(this.#chats.view(stored));
      }
    }
    const { timeoutMs = 60_000 } = options;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.#network.messages.off("message", look);
      };
      const look = (message: MessageView): void => {
        if (message.person === this.number && wanted(message)) {
          stop();
          resolve(message);
        }
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`${this.name} did not receive the message in ${timeoutMs} ms`));
      }, timeoutMs);
      this.#network.messages.on("message", look);
    });
  }

  /** The decrypted file of a received message. */
  download(id: string): Buffer {
    const content = this.#chats.get(id)?.content;
    if (!content || !("mediaKey" in content)) {
      throw new Error(`message ${id} has no file`);
    }
    return this.#network.media.decrypt(content.kind, content.directPath, content.mediaKey);
  }

  /** Path and key of the file of a message, for a media retry. */
  fileOf(id: string): { directPath: string; mediaKey: Uint8Array } | undefined {
    const content = this.#chats.get(id)?.content;
    return content && "mediaKey" in content ? content : undefined;
  }

  /** Sends read receipts for the given messages, or for all unread ones. */
  reads(from: string, ids?: string[]): Promise<void> {
    return this.#sendReceipts(from, "read", ids);
  }

  /** Sends played receipts of voice messages. */
  plays(ids: string[]): Promise<void> {
    const line = this.#chats.get(ids[0] ?? "")?.line;
    if (line === undefined) {
      throw new Error(`no message ${ids.join(", ")}`);
    }
    return this.#sendReceipts(line, "played", ids);
  }

  /** Sends a typing state to the line. */
  types(to: string, isTyping = true): Promise<void> {
    const stanza = node("chatstate", { from: this.jid }, [node(isTyping ? "composing" : "paused")]);
    for (const companion of this.#network.line(to).companions()) {
      companion.sendIfLive(stanza);
    }
    return Promise.resolve();
  }

  calls(to: string, options: CallOptions = {}): Promise<Call> {
    return Promise.resolve(placeCall(this.#network, this, this.#network.line(to), options));
  }

  /** Deletes all sessions, as after a new phone or a reinstallation. */
  loseSessions(): void {
    this.identity.forgetSessions();
  }

  /** A line's device sent a receipt for this person's message. */
  advanceStatus(id: string, status: "delivered" | "read" | "played"): void {
    if (this.#chats.advance(id, status)) {
      this.#onDelivered.get(id)?.();
      this.#onDelivered.delete(id);
    }
  }

  /**
   * Receives a message stanza of a line. Returns the follow-up to run after the line's ack: a delivery receipt, or a retry
   * receipt if the message cannot be decrypted.
   */
  async receiveStanza(companion: Companion, stanza: Node, parts: EncryptedPart[]): Promise<() => void> {
    const id = stanza.attrs["id"] ?? "";
    const group = stanza.attrs["to"]?.endsWith("@g.us") ? stanza.attrs["to"] : undefined;
    if (group === undefined && this.hasBlocked(companion.owner.number)) {
      // The line is not told: it sees one tick for ever.
      return () => undefined;
    }
    const message = await decryptMessage(this.#network, this.identity, companion, group, parts);
    if (!message) {
      return () => {
        this.#sendRetryReceipt(companion, id, group);
      };
    }
    this.#retries.delete(id);
    this.store(message, { id, line: companion.owner.number, group });
    return () => {
      this.#sendAutoReceipts(companion.record.phone, id, group);
    };
  }

  /** Stores a decrypted message of a line's device or of its owner's phone. */
  store(message: proto.IMessage, from: { id: string; line: string; group?: string | undefined }): void {
    const known = this.#chats.get(from.id);
    if (known) {
      known.copies++;
      this.#network.stats.repeatedToPersons++;
      return;
    }
    this.#network.stats.toPersons++;
    const stored = this.#record(message, { ...from, isOwn: false });
    this.#network.messages.emit("message", this.#chats.view(stored));
  }

  /** Stores a message of this person in the chats of the group's other persons. */
  #deliverToMembers(group: Group, message: proto.IMessage, id: string): void {
    const line = group.lines[0]?.number ?? "";
    for (const member of group.members) {
      if (member instanceof Person && member !== this) {
        member.store(message, { id, line, group: group.jid });
      }
    }
  }

  #record(
    message: proto.IMessage,
    about: { id: string; line: string; group?: string | undefined; isOwn: boolean },
    past: { at?: number; status?: Status } = {},
  ): StoredMessage {
    const content = readMessage(message);
    const quoted = quotedBy(message);
    const stored: StoredMessage = {
      id: about.id,
      line: about.line,
      isOwn: about.isOwn,
      at: past.at ?? this.#network.clock(),
      content,
      message: proto.Message.encode(message).finish(),
      status: past.status ?? (about.isOwn ? "sent" : "delivered"),
      reactions: {},
      copies: 1,
      ...(about.group === undefined ? {} : { group: about.group }),
      ...(quoted === undefined ? {} : { quoted }),
    };
    this.#chats.add(stored);
    this.#chats.apply(content, about.isOwn ? this.number : about.line);
    return stored;
  }

  /** A message of this person's chats, to quote, edit or revoke it. */
  findQuotable(id: string): { author: string; isOwn: boolean; message: proto.IMessage } | undefined {
    const stored = this.#chats.get(id);
    if (!stored) {
      return undefined;
    }
    const author = stored.isOwn ? this.jid : this.#network.line(stored.line).jidFor(this.addressing);
    return { author, isOwn: stored.isOwn, message: proto.Message.decode(stored.message) };
  }

  #sendAutoReceipts(line: string, id: string, group: string | undefined): void {
    if (this.autoReceipts === "none") {
      return;
    }
    const companions = this.#network.line(line).companions();
    const from = group ?? this.jid;
    const participant = group === undefined ? undefined : this.lidJid;
    deliverReceipt(this.#network, companions, [id], { from, participant });
    if (this.autoReceipts === "read") {
      this.#chats.advance(id, "read");
      deliverReceipt(this.#network, companions, [id], { from, participant, type: "read" });
    }
  }

  #sendReceipts(line: string, type: "read" | "played", ids?: string[]): Promise<void> {
    const account = this.#network.line(line);
    const wanted = ids ? new Set(ids) : undefined;
    const byChat = new Map<string, string[]>();
    for (const message of this.#chats.all()) {
      const isWanted = wanted ? wanted.has(message.id) : !message.isOwn && message.status === "delivered";
      if (isWanted && message.line === account.number && !message.isOwn) {
        const chat = message.group ?? this.jid;
        byChat.set(chat, [...(byChat.get(chat) ?? []), message.id]);
        this.#chats.advance(message.id, type);
      }
    }
    for (const [chat, found] of byChat) {
      const participant = chat.endsWith("@g.us") ? this.lidJid : undefined;
      deliverReceipt(this.#network, account.companions(), found, { from: chat, type, participant });
    }
    return Promise.resolve();
  }

  /** Sends a retry receipt: this phone could not decrypt the message. */
  #sendRetryReceipt(companion: Companion, id: string, group: string | undefined): void {
    const count = (this.#retries.get(id) ?? 0) + 1;
    if (count > MAX_RETRIES) {
      return;
    }
    this.#retries.set(id, count);
    this.#network.stats.retriesByPersons++;
    const attrs = {
      id,
      type: "retry",
      t: this.#network.seconds(),
      from: group ?? this.jid,
      participant: group === undefined ? undefined : this.lidJid,
    };
    const retry = node("retry", { count, id, t: this.#network.seconds(), v: 1 });
    const registration = node("registration", {}, bigEndian(this.identity.registrationId, 4));
    const stanza = node("receipt", attrs, [retry, registration]);
    companion.enqueue({ key: receiptKey(stanza), node: stanza });
  }
}
