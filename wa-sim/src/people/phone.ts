import { proto } from "baileys";
import { deliverMessage, deliverReceipt, editAttribute } from "../delivery/index.ts";
import { buildMessage } from "../messages/index.ts";
import type { Content } from "../messages/index.ts";
import { CHATS, LineAccount } from "../network/index.ts";
import type { Companion, Group, Network, UserRecord } from "../network/index.ts";
import { linkByCode, linkByQr } from "../pairing/index.ts";
import { node } from "../protocol/index.ts";
import { Person } from "./person.ts";

/** The phone of a line's owner, and what the owner does on it. Our product is one of its linked companions. */
export class Phone extends LineAccount {
  readonly #network: Network;

  constructor(network: Network, record: UserRecord) {
    super(network, record);
    this.#network = network;
  }

  /** Scans a QR code. Resolves when the companion has signed; rejects a code that is not waiting to be scanned. */
  scan(qr: string): Promise<Companion> {
    return linkByQr(this.#network, this, qr);
  }

  /** Types the eight characters that the companion shows. */
  enterPairingCode(code: string): Promise<Companion> {
    return linkByCode(this.#network, this, code);
  }

  /** The owner sends from the phone: the contact gets the message, every companion a device-sent copy. */
  async sends(contactNumber: string, content: Content, options: { id?: string } = {}): Promise<{ id: string }> {
    const contact = this.#network.findOrCreate(contactNumber);
    if (!(contact instanceof Person)) {
      throw new Error(`${contactNumber} is no person`);
    }
    const id = options.id ?? this.#network.newId();
    const chat = contact.jid;
    const message = await buildMessage(content, {
      media: this.#network.media,
      chat,
      find: (one) => {
        const found = contact.findQuotable(one);
        return found && { ...found, isOwn: !found.isOwn };
      },
    });
    contact.store(message, { id, line: this.number });
    const copy = { deviceSentMessage: { destinationJid: chat, message } };
    await deliverMessage(this.#network, this.companions(), this, copy, {
      id,
      from: this.jidFor(contact.addressing),
      recipient: chat,
      notify: this.name,
      addressing_mode: contact.addressing,
      ...contact.alternativeAddress("peer_recipient"),
      ...editAttribute(message),
    });
    this.#network.journal.flush();
    return { id };
  }

  /** Creates a new app state key and shares it with the companions. */
  async sharesAppStateKey(): Promise<void> {
    const message = {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
        appStateSyncKeyShare: { keys: [this.appState.newKey(this.#network.seconds())] },
      },
    };
    const attrs = { id: this.#network.newId("K"), from: this.pn, category: "peer" };
    await deliverMessage(this.#network, this.companions(), this, message, attrs);
    this.#network.journal.flush();
  }

  /** The owner reads these messages on the phone. `isSilent`: without read receipts to the contact (`read-self`). */
  reads(chat: Person | Group, ids: string[], options: { isSilent?: boolean } = {}): void {
    const type = options.isSilent ? "read-self" : "read";
    const place =
      chat instanceof Person
        ? { from: this.jidFor(chat.addressing), recipient: chat.jid }
        : { from: chat.jid, participant: this.lidJid };
    deliverReceipt(this.#network, this.companions(), ids, { ...place, type });
    this.#network.journal.flush();
  }

  /** The owner marks a chat as read or unread in the chat list. Needs a shared app state key. */
  async marksRead(person: Person, isRead = true): Promise<void> {
    await this.appState.markRead(person.jid, isRead, this.#network.seconds());
    const id = this.#network.newId("S");
    const attrs = { type: "server_sync", from: this.pn, id, t: this.#network.seconds() };
    const collection = node("collection", { name: CHATS, version: this.appState.version });
    for (const companion of this.companions()) {
      companion.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [collection]) });
    }
    this.#network.journal.flush();
  }

  /** The owner sends a message to the own number. */
  async notes(text: string): Promise<{ id: string }> {
    const id = this.#network.newId();
    const copy = { deviceSentMessage: { destinationJid: this.lidJid, message: { conversation: text } } };
    await deliverMessage(this.#network, this.companions(), this, copy, {
      id,
      from: this.lidJid,
      recipient: this.lidJid,
      notify: this.name,
      addressing_mode: "lid",
      peer_recipient_pn: this.pn,
    });
    this.#network.journal.flush();
    return { id };
  }
}
