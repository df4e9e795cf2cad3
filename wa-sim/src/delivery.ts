import { encodeWAMessage, proto, unpadRandomMax16 } from "baileys";
import type { Companion, PendingStanza } from "./companion.ts";
import type { Group } from "./groups.ts";
import type { Network } from "./network.ts";
import type { Phone } from "./phone.ts";
import type { Ciphertext } from "./signal-identity.ts";
import type { User } from "./user.ts";
import { node } from "./wire.ts";
import type { Node } from "./wire.ts";

/** Ids are unique in a chat, not on a line. `chat`: where the stanza comes from, and what confirms it goes to. */
export const messageKey = (id: string, chat: string): string => `message:${id}:${chat}`;

/** Encrypts a message for every linked device of a phone, or for one, and puts it in their queues. */
export async function deliverMessage(
  network: Network,
  phone: Phone,
  sender: User,
  message: proto.IMessage,
  attrs: Record<string, string | undefined>,
  only?: Companion,
): Promise<void> {
  const plain = encodeWAMessage(message);
  const type = stanzaType(message);
  for (const companion of only ? [only] : phone.companions()) {
    const encrypted = await encryptFor(companion, sender, plain);
    const stanza = node("message", { type, t: network.seconds(), ...attrs }, [encNode(network, encrypted)]);
    enqueueMessage(network, companion, { node: stanza, plain, author: sender.number });
  }
}

/**
 * A group message: the text under the sender's group key, and before it, for a device that does not have that key yet,
 * the key itself. Both in one stanza, in this order.
 */
export async function deliverGroupMessage(
  network: Network,
  group: Group,
  phone: Phone,
  sender: User,
  message: proto.IMessage,
  id: string,
): Promise<void> {
  const plain = encodeWAMessage(message);
  const companions = phone.companions();
  if (companions.length === 0) {
    return;
  }
  const { ciphertext, senderKey } = await sender.identity.encryptForGroup(group.jid, sender.lidJid, plain);
  for (const companion of companions) {
    const content: Node[] = [];
    if (group.needsKey(sender, companion)) {
      const distribution = { groupId: group.jid, axolotlSenderKeyDistributionMessage: senderKey };
      const key = encodeWAMessage({ senderKeyDistributionMessage: distribution });
      content.push(encNode(network, await encryptFor(companion, sender, key)));
    }
    content.push(node("enc", { v: 2, type: "skmsg" }, ciphertext));
    const attrs = {
      id,
      type: stanzaType(message),
      t: network.seconds(),
      from: group.jid,
      participant: sender.lidJid,
      participant_pn: sender.pn,
      addressing_mode: "lid",
      notify: sender.name,
    };
    enqueueMessage(network, companion, {
      node: node("message", attrs, content),
      plain,
      author: sender.number,
      group: group.jid,
    });
  }
}

/**
 * Stanzas of which a linked device learns only that there was a message: what WhatsApp shows on the phone alone (pictures
 * for one look, words of Meta's assistant and of hosted numbers), and what it has no content of any more.
 */
export const WITHHELD = {
  viewOnce: () => node("unavailable", { type: "view_once" }),
  viewOnceFanout: () => node("unavailable", { type: "view_once_unavailable_fanout" }),
  botFanout: () => node("unavailable", { type: "bot_unavailable_fanout" }),
  hostedFanout: () => node("unavailable", { type: "hosted_unavailable_fanout" }),
  /** Under a secret that only the phone has. */
  msmsg: () => node("enc", { v: 2, type: "msmsg" }, Buffer.from("sealed for the phone")),
  nothing: () => undefined,
} as const;
export type Withheld = keyof typeof WITHHELD;

/** Puts a message without content into the queue of every linked device of a phone. */
export function deliverWithheld(
  network: Network,
  phone: Phone,
  what: Withheld,
  attrs: Record<string, string | number | undefined>,
): void {
  for (const companion of phone.companions()) {
    const part = WITHHELD[what]();
    const stanza = node("message", { type: "text", t: network.seconds(), ...attrs }, part ? [part] : []);
    enqueueMessage(network, companion, { node: stanza });
  }
}

/** Encrypts a pending message again, in a fresh session, because the device could not read it. */
export async function encryptAgain(
  network: Network,
  companion: Companion,
  stanza: PendingStanza,
  count: string,
): Promise<void> {
  const author = stanza.author === undefined ? undefined : network.users.get(stanza.author);
  if (!author || !stanza.plain) {
    return;
  }
  let plain = stanza.plain;
  if (stanza.group !== undefined) {
    plain = await withSenderKey(author, stanza.group, plain);
  }
  await author.identity.startSession(companion.address, companion.takeBundle());
  const encrypted = await author.identity.encrypt(companion.address, plain);
  const enc = node("enc", { v: 2, type: encrypted.type, count }, encrypted.bytes);
  companion.enqueue({ ...stanza, node: { ...stanza.node, content: [enc] } });
}

async function withSenderKey(author: User, group: string, padded: Uint8Array): Promise<Uint8Array> {
  const key = await author.identity.senderKeyFor(group, author.lidJid);
  const message = proto.Message.decode(unpadRandomMax16(padded));
  const distribution = { groupId: group, axolotlSenderKeyDistributionMessage: key };
  return encodeWAMessage({ ...message, senderKeyDistributionMessage: distribution });
}

/** Starts a session with the device first if the sender has none. */
async function encryptFor(companion: Companion, sender: User, plain: Uint8Array): Promise<Ciphertext> {
  if (!(await sender.identity.hasSession(companion.address))) {
    await sender.identity.startSession(companion.address, companion.takeBundle());
  }
  return sender.identity.encrypt(companion.address, plain);
}

function encNode(network: Network, encrypted: Ciphertext): Node {
  let bytes = encrypted.bytes;
  if (network.faults.corruptNext > 0) {
    network.faults.corruptNext--;
    bytes = Buffer.from(bytes);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  }
  return node("enc", { v: 2, type: encrypted.type }, bytes);
}

function enqueueMessage(network: Network, companion: Companion, stanza: Omit<PendingStanza, "key">): void {
  network.stats.toLines++;
  const key = messageKey(stanza.node.attrs["id"] ?? "", stanza.node.attrs["from"] ?? "");
  companion.enqueue({ key, ...stanza });
  if (network.faults.duplicateNext > 0) {
    network.faults.duplicateNext--;
    companion.enqueue({ key, ...stanza });
  }
}

function stanzaType(message: proto.IMessage): string {
  if (message.reactionMessage) {
    return "reaction";
  }
  const isFile =
    message.imageMessage ??
    message.videoMessage ??
    message.audioMessage ??
    message.documentMessage ??
    message.documentWithCaptionMessage ??
    message.stickerMessage ??
    message.locationMessage ??
    message.contactMessage;
  return isFile ? "media" : "text";
}

/** Tells a line's devices that somebody received or read its messages. */
export function deliverReceipt(
  network: Network,
  phone: Phone,
  ids: string[],
  attrs: {
    from: string;
    /** `read-self`: the owner read on the phone, and does not tell anybody. */
    type?: "read" | "played" | "read-self" | undefined;
    participant?: string | undefined;
    /** Whose chat it is, where the owner's own phone tells its devices. */
    recipient?: string | undefined;
  },
): void {
  const [id, ...more] = ids;
  if (id === undefined) {
    return;
  }
  const list =
    more.length > 0
      ? [
          node(
            "list",
            {},
            more.map((other) => node("item", { id: other })),
          ),
        ]
      : undefined;
  const stanza = node("receipt", { id, t: network.seconds(), ...attrs }, list);
  for (const companion of phone.companions()) {
    companion.enqueue({ key: receiptKey(stanza), node: stanza });
  }
}

/** Receipts of one message differ by kind and by who gives them. */
export const receiptKey = ({ attrs }: Node, from = attrs["from"]): string =>
  `receipt:${attrs["id"] ?? ""}:${attrs["type"] ?? ""}:${from ?? ""}:${attrs["participant"] ?? ""}`;
