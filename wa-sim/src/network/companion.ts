import { decodeBinaryNode, encodeBinaryNode } from "baileys";
import { bytesOf, child, children, lidJid, node, pnJid, readBigEndian, SERVER } from "../protocol/index.ts";
import type { Connection, Node } from "../protocol/index.ts";
import type { Context } from "./context.ts";
import { readPreKey, readSignedPreKey } from "./signal-identity.ts";
import type { KeyBundle } from "./signal-identity.ts";
import type { User } from "./user.ts";

/** Fields of a companion in the journal, set when it is linked. */
export interface CompanionRecord {
  phone: string;
  device: number;
  noiseKey: Uint8Array;
  identity: Uint8Array;
  registrationId: number;
  signedPreKey: KeyBundle["signedPreKey"];
  platform: string;
  linkedAt: number;
  hasLoggedIn: boolean;
}

/** A stanza that the companion has not acknowledged yet. */
export interface PendingStanza {
  key: string;
  node: Node;
  /** Encoded message and its author's number, to encrypt it again for a retry receipt. */
  plain?: Uint8Array;
  author?: string;
  group?: string;
}

/** A pending stanza in the journal. */
interface StoredStanza {
  key: string;
  encoded: string;
  plain: string | undefined;
  author: string | undefined;
  group: string | undefined;
}

const LOW_PRE_KEYS = 5;

/** One linked device of a phone: the other end of a line's driver. Queues stanzas until the device acknowledges them. */
export class Companion {
  /** The account that it is linked to. */
  readonly owner: User;
  readonly record: CompanionRecord;
  readonly pending = new Map<string, PendingStanza>();
  readonly preKeys = new Map<number, Buffer>();
  connection: Connection | undefined;
  /** The backlog has been sent: new stanzas are sent at once. */
  isLive = false;
  /** Per message the number of nacks to ignore: each retry receipt is followed by a nack, which confirms nothing. */
  readonly nacksToIgnore = new Map<string, number>();

  readonly #context: Context;
  #isRequestingPreKeys = false;

  constructor(context: Context, owner: User, record: CompanionRecord) {
    this.#context = context;
    this.owner = owner;
    this.record = record;
  }

  get id(): string {
    return `${this.record.phone}:${this.record.device}`;
  }

  get pn(): string {
    return pnJid(this.record.phone, this.record.device);
  }

  /** Address of its Signal sessions, always in the LID form. */
  get address(): string {
    return lidJid(this.owner.lid, this.record.device);
  }

  get state(): "connected" | "offline" {
    return this.connection ? "connected" : "offline";
  }

  save(): void {
    this.#context.journal.put(`companion/${this.id}`, this.record);
  }

  /** Queues the stanza until it is confirmed; sends it now if the device is live. */
  enqueue(stanza: PendingStanza): void {
    this.pending.delete(stanza.key);
    this.pending.set(stanza.key, stanza);
    const encoded = encodeBinaryNode(stanza.node);
    const { key, plain, author, group } = stanza;
    const stored: StoredStanza = {
      key,
      encoded: encoded.toString("base64"),
      plain: plain && base64(plain),
      author,
      group,
    };
    this.#context.journal.putPlain(`stanza/${this.id}/${key}`, stored);
    if (this.isLive) {
      this.connection?.send(encoded);
    }
  }

  /** Restores a pending stanza from the journal. */
  async restoreStanza(stored: unknown): Promise<void> {
    const { key, encoded, plain, author, group } = stored as StoredStanza;
    this.pending.set(key, {
      key,
      node: await decodeBinaryNode(Buffer.from(encoded, "base64")),
      ...(plain === undefined ? {} : { plain: Buffer.from(plain, "base64") }),
      ...(author === undefined ? {} : { author }),
      ...(group === undefined ? {} : { group }),
    });
  }

  /** Sends a stanza that is never queued (typing, presence). */
  sendIfLive(stanza: Node): void {
    if (this.isLive) {
      this.connection?.send(stanza);
    }
  }

  confirm(key: string): PendingStanza | undefined {
    const stanza = this.pending.get(key);
    if (stanza) {
      this.pending.delete(key);
      this.#context.journal.remove(`stanza/${this.id}/${key}`);
      this.#context.confirmations.emit("confirmed");
    }
    return stanza;
  }

  /** All pending stanzas in order, marked as offline. */
  backlog(): Node[] {
    return [...this.pending.values()].map(({ node: stanza }, index) => ({
      ...stanza,
      attrs: { ...stanza.attrs, offline: String(index) },
    }));
  }

  /** Stores the pre-keys that the device uploads. */
  saveUploadedKeys(iq: Node): void {
    this.record.identity = bytesOf(iq, "identity");
    this.record.registrationId = readBigEndian(bytesOf(iq, "registration"));
    this.record.signedPreKey = readSignedPreKey(iq);
    this.save();
    for (const key of children(child(iq, "list"), "key")) {
      const { id, public: publicKey } = readPreKey(key);
      this.preKeys.set(id, publicKey);
      this.#context.journal.put(`prekey/${this.id}/${id}`, publicKey);
    }
    this.#isRequestingPreKeys = false;
  }

  /** The device's bundle; consumes one one-time pre-key. With none left the bundle has none, as on WhatsApp. */
  consumeBundle(): KeyBundle {
    const { registrationId, identity, signedPreKey } = this.record;
    const [first] = this.preKeys;
    if (!first) {
      this.#requestPreKeys();
      return { registrationId, identity, signedPreKey };
    }
    const [id, publicKey] = first;
    this.preKeys.delete(id);
    this.#context.journal.remove(`prekey/${this.id}/${id}`);
    if (this.preKeys.size < LOW_PRE_KEYS) {
      this.#requestPreKeys();
    }
    return { registrationId, identity, signedPreKey, preKey: { id, public: publicKey } };
  }

  #requestPreKeys(): void {
    if (this.isLive && !this.#isRequestingPreKeys) {
      this.#isRequestingPreKeys = true;
      const id = this.#context.newId("N");
      const attrs = { type: "encrypt", from: SERVER, id, t: this.#context.seconds() };
      const count = node("count", { value: Math.min(this.preKeys.size, LOW_PRE_KEYS - 1) });
      this.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [count]) });
    }
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
