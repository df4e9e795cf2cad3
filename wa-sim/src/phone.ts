import { proto } from "baileys";
import { AppState, CHATS } from "./app-state.ts";
import type { Companion } from "./companion.ts";
import { buildMessage } from "./contents.ts";
import type { Content } from "./contents.ts";
import { deliverMessage, deliverReceipt } from "./delivery.ts";
import type { Group } from "./groups.ts";
import { linkByCode, linkByQr } from "./pairing.ts";
import { Person, editAttribute } from "./person.ts";
import { User } from "./user.ts";
import type { Addressing } from "./user.ts";
import { node } from "./wire.ts";

export type Kick =
  | "drop"
  | "closeFrame"
  | "silence"
  | "replaced"
  | "loggedOut"
  | "restart"
  | "streamEnd"
  | { failure: 401 | 403 | 405 | 500 | 503 }
  | { streamError: 500 | 503 };

export interface DeviceView {
  device: number;
  state: "connected" | "offline";
  platform: string;
  /** Stanzas that it has not confirmed. */
  pending: number;
}

/** The owner's phone of a line. Our product is one of its linked companions. */
export class Phone extends User {
  /** The next logins are refused with this code. */
  loginFailure: number | undefined;
  /** What its linked devices are told about its list of chats; not kept over a restart. */
  readonly appState = new AppState();
  #nextDevice = 1;
  readonly #companions: Companion[] = [];

  companions(): readonly Companion[] {
    return this.#companions;
  }

  devices(): DeviceView[] {
    return this.#companions.map(({ record, state, pending }) => ({
      device: record.device,
      state,
      platform: record.platform,
      pending: pending.size,
    }));
  }

  /** The address under which a contact with this addressing knows the phone. */
  jidFor(addressing: Addressing): string {
    return addressing === "lid" ? this.lidJid : this.pn;
  }

  /** Scans a QR code. Resolves when the companion has signed; rejects a code that is not waiting to be scanned. */
  scan(qr: string): Promise<Companion> {
    return linkByQr(this.network, this, qr);
  }

  /** Types the eight characters that the companion shows. */
  enterPairingCode(code: string): Promise<Companion> {
    return linkByCode(this.network, this, code);
  }

  /** The owner types on the phone: the contact receives it, and every companion gets a copy marked as own. */
  async sends(contactNumber: string, content: Content, options: { id?: string } = {}): Promise<{ id: string }> {
    const contact = this.network.lookUp(contactNumber);
    if (!(contact instanceof Person)) {
      throw new Error(`${contactNumber} is no person`);
    }
    const id = options.id ?? this.network.newId();
    const chat = contact.jid;
    const message = await buildMessage(content, {
      media: this.network.media,
      chat,
      find: (one) => {
        const found = contact.quotable(one);
        return found && { ...found, isOwn: !found.isOwn };
      },
    });
    contact.receive(message, { id, line: this.number });
    const copy = { deviceSentMessage: { destinationJid: chat, message } };
    await deliverMessage(this.network, this, this, copy, {
      id,
      from: this.jidFor(contact.addressing),
      recipient: chat,
      notify: this.name,
      addressing_mode: contact.addressing,
      ...contact.alternative("peer_recipient"),
      ...editAttribute(message),
    });
    this.network.journal.flush();
    return { id };
  }

  /** Shares a key of the app state with its companions, as phones do when they made a new one. */
  async sharesAppStateKey(): Promise<void> {
    const message = {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
        appStateSyncKeyShare: { keys: [this.appState.newKey(this.network.seconds())] },
      },
    };
    const attrs = { id: this.network.newId("K"), from: this.pn, category: "peer" };
    await deliverMessage(this.network, this, this, message, attrs);
    this.network.journal.flush();
  }

  /** The owner reads a chat on the phone, up to these messages: the other devices are told, with blue ticks or without. */
  reads(chat: Person | Group, ids: string[], options: { isSilent?: boolean } = {}): void {
    const type = options.isSilent ? "read-self" : "read";
    const place =
      chat instanceof Person
        ? { from: this.jidFor(chat.addressing), recipient: chat.jid }
        : { from: chat.jid, participant: this.lidJid };
    deliverReceipt(this.network, this, ids, { ...place, type });
    this.network.journal.flush();
  }

  /** The owner marks a chat as read, or as unread, in the list of chats. Wants a key that was shared. */
  async marksRead(person: Person, isRead = true): Promise<void> {
    await this.appState.markRead(person.jid, isRead, this.network.seconds());
    const id = this.network.newId("S");
    const attrs = { type: "server_sync", from: this.pn, id, t: this.network.seconds() };
    const collection = node("collection", { name: CHATS, version: this.appState.version });
    for (const companion of this.#companions) {
      companion.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [collection]) });
    }
    this.network.journal.flush();
  }

  /** The owner writes a note to themselves: a chat with the own number. */
  async notes(text: string): Promise<{ id: string }> {
    const id = this.network.newId();
    const copy = { deviceSentMessage: { destinationJid: this.lidJid, message: { conversation: text } } };
    await deliverMessage(this.network, this, this, copy, {
      id,
      from: this.lidJid,
      recipient: this.lidJid,
      notify: this.name,
      addressing_mode: "lid",
      peer_recipient_pn: this.pn,
    });
    this.network.journal.flush();
    return { id };
  }

  /** Removes a companion, or all: online ones are told at once, offline ones at their next login. */
  unlink(device?: number): void {
    for (const companion of this.#companions.filter(({ record }) => device === undefined || record.device === device)) {
      this.forget(companion);
      const conflict = node("conflict", { type: "device_removed" });
      companion.connection?.closeWith(node("stream:error", { code: 401 }, [conflict]));
    }
  }

  /** Ends the companions' connections in one of the ways in which WhatsApp does. */
  kick(how: Kick, device?: number): void {
    if (how === "loggedOut") {
      this.unlink(device);
      return;
    }
    for (const { connection, record } of this.#companions) {
      if (!connection || (device !== undefined && record.device !== device)) {
        continue;
      }
      if (how === "drop") {
        connection.drop();
      } else if (how === "closeFrame") {
        connection.close();
      } else if (how === "silence") {
        connection.isSilent = true;
      } else if (how === "replaced") {
        connection.closeWith(node("stream:error", {}, [node("conflict", { type: "replaced" })]));
      } else if (how === "restart") {
        connection.closeWith(node("stream:error", { code: 515 }));
      } else if (how === "streamEnd") {
        connection.closeWith(node("xmlstreamend"));
      } else if ("failure" in how) {
        connection.closeWith(node("failure", { reason: how.failure }));
      } else {
        connection.closeWith(node("stream:error", { code: how.streamError }));
      }
    }
  }

  takeDeviceNumber(): number {
    return this.#nextDevice++;
  }

  link(companion: Companion): void {
    this.#companions.push(companion);
    this.#nextDevice = Math.max(this.#nextDevice, companion.record.device + 1);
    this.network.companions.set(companion.id, companion);
  }

  forget(companion: Companion): void {
    const index = this.#companions.indexOf(companion);
    if (index < 0) {
      return;
    }
    this.#companions.splice(index, 1);
    this.network.companions.delete(companion.id);
    const { journal } = this.network;
    journal.remove(`companion/${companion.id}`);
    for (const kind of ["stanza", "prekey"]) {
      for (const [name] of [...journal.startingWith(`${kind}/${companion.id}/`)]) {
        journal.remove(name);
      }
    }
    journal.flush();
  }
}
