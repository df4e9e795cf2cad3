import { decodeBinaryNode, encodeBinaryNode } from "baileys";
import type { Connection } from "./connection.ts";
import type { Network } from "./network.ts";
import type { Phone } from "./phone.ts";
import { readPreKey, readSignedPreKey } from "./signal-identity.ts";
import type { KeyBundle } from "./signal-identity.ts";
import { bytesOf, child, children, lidJid, node, pnJid, readBigEndian, SERVER } from "./wire.ts";
import type { Node } from "./wire.ts";

/** What a companion is known by since it was linked. */
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

/** A stanza that the companion has not confirmed yet. */
export interface PendingStanza {
  key: string;
  node: Node;
  /** Encoded message and its author's number, to encrypt it again when the companion asks. */
  plain?: Uint8Array;
  author?: string;
  group?: string;
}

/** The same in the journal. */
interface KeptStanza {
  key: string;
  encoded: string;
  plain: string | undefined;
  author: string | undefined;
  group: string | undefined;
}

const LOW_PRE_KEYS = 5;

/** One linked device of a phone: what we call a line's connection. Holds what waits for it, online or not. */
export class Companion {
  readonly phone: Phone;
  readonly record: CompanionRecord;
  readonly pending = new Map<string, PendingStanza>();
  readonly preKeys = new Map<number, Buffer>();
  connection: Connection | undefined;
  /** The backlog is through: new stanzas may be sent at once. */
  isLive = false;
  /** Retry receipts whose nack is still to come: that nack confirms nothing. */
  readonly nacksToIgnore = new Map<string, number>();

  readonly #network: Network;
  #isAskingForPreKeys = false;

  constructor(network: Network, phone: Phone, record: CompanionRecord) {
    this.#network = network;
    this.phone = phone;
    this.record = record;
  }

  get id(): string {
    return `${this.record.phone}:${this.record.device}`;
  }

  get pn(): string {
    return pnJid(this.record.phone, this.record.device);
  }

  /** Address of its Signal sessions on every phone: always this one form. */
  get address(): string {
    return lidJid(this.phone.lid, this.record.device);
  }

  get state(): "connected" | "offline" {
    return this.connection ? "connected" : "offline";
  }

  save(): void {
    this.#network.journal.put(`companion/${this.id}`, this.record);
  }

  /** Keeps the stanza until it is confirmed and sends it now if the device is online and through its backlog. */
  enqueue(stanza: PendingStanza): void {
    this.pending.delete(stanza.key);
    this.pending.set(stanza.key, stanza);
    const encoded = encodeBinaryNode(stanza.node);
    const { key, plain, author, group } = stanza;
    const kept: KeptStanza = { key, encoded: encoded.toString("base64"), plain: plain && base64(plain), author, group };
    this.#network.journal.putPlain(`stanza/${this.id}/${key}`, kept);
    if (this.isLive) {
      this.connection?.send(encoded);
    }
  }

  /** Puts back a stanza that the journal kept. */
  async restoreStanza(kept: unknown): Promise<void> {
    const { key, encoded, plain, author, group } = kept as KeptStanza;
    this.pending.set(key, {
      key,
      node: await decodeBinaryNode(Buffer.from(encoded, "base64")),
      ...(plain === undefined ? {} : { plain: Buffer.from(plain, "base64") }),
      ...(author === undefined ? {} : { author }),
      ...(group === undefined ? {} : { group }),
    });
  }

  /** Sends something that is worth nothing later (typing, presence). */
  sendIfLive(stanza: Node): void {
    if (this.isLive) {
      this.connection?.send(stanza);
    }
  }

  confirm(key: string): PendingStanza | undefined {
    const stanza = this.pending.get(key);
    if (stanza) {
      this.pending.delete(key);
      this.#network.journal.remove(`stanza/${this.id}/${key}`);
      this.#network.confirmations.emit("confirmed", this, key);
    }
    return stanza;
  }

  /** Everything that waits, marked as offline, in the order in which it came. */
  backlog(): Node[] {
    return [...this.pending.values()].map(({ node: stanza }, index) => ({
      ...stanza,
      attrs: { ...stanza.attrs, offline: String(index) },
    }));
  }

  /** Takes the keys that the device uploads for others to start sessions with it. */
  learnKeys(iq: Node): void {
    this.record.identity = bytesOf(iq, "identity");
    this.record.registrationId = readBigEndian(bytesOf(iq, "registration"));
    this.record.signedPreKey = readSignedPreKey(iq);
    this.save();
    for (const key of children(child(iq, "list"), "key")) {
      const { id, public: publicKey } = readPreKey(key);
      this.preKeys.set(id, publicKey);
      this.#network.journal.put(`prekey/${this.id}/${id}`, publicKey);
    }
    this.#isAskingForPreKeys = false;
  }

  /** The device's bundle with one one-time key, which is then used up. Without any left it goes without, as on WhatsApp. */
  takeBundle(): KeyBundle {
    const { registrationId, identity, signedPreKey } = this.record;
    const [first] = this.preKeys;
    if (!first) {
      this.#askForPreKeys();
      return { registrationId, identity, signedPreKey };
    }
    const [id, publicKey] = first;
    this.preKeys.delete(id);
    this.#network.journal.remove(`prekey/${this.id}/${id}`);
    if (this.preKeys.size < LOW_PRE_KEYS) {
      this.#askForPreKeys();
    }
    return { registrationId, identity, signedPreKey, preKey: { id, public: publicKey } };
  }

  #askForPreKeys(): void {
    if (this.isLive && !this.#isAskingForPreKeys) {
      this.#isAskingForPreKeys = true;
      const id = this.#network.newId("N");
      const attrs = { type: "encrypt", from: SERVER, id, t: this.#network.seconds() };
      const count = node("count", { value: Math.min(this.preKeys.size, LOW_PRE_KEYS - 1) });
      this.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [count]) });
    }
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
