import { encodeWAMessage, proto, unpadRandomMax16 } from "baileys";
import { readMessage } from "../messages/index.ts";
import type { Ciphertext, Companion, Context, Group, Network, PendingStanza, User } from "../network/index.ts";
import { node } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";

/** Key of a pending message: ids are unique per chat, not per line. `chat` is the stanza's `from`, to which its receipt goes. */
export const messageKey = (id: string, chat: string): string => `message:${id}:${chat}`;

/** Encrypts a message for each of these linked devices and puts it in their queues. */
export async function deliverMessage(
  context: Context,
  companions: readonly Companion[],
  sender: User,
  message: proto.IMessage,
  attrs: Record<string, string | undefined>,
): Promise<void> {
  const plain = encodeWAMessage(message);
  const type = stanzaType(message);
  for (const companion of companions) {
    const encrypted = await encryptFor(companion, sender, plain);
    const stanza = node("message", { type, t: context.seconds(), ...attrs }, [encNode(context, encrypted)]);
    enqueueMessage(context, companion, { node: stanza, plain, author: sender.number });
  }
}

/**
 * Delivers a group message, encrypted under the sender key. A device that does not have the sender key gets it first, in
 * the same stanza.
 */
export async function deliverGroupMessage(
  context: Context,
  group: Group,
  companions: readonly Companion[],
  sender: User,
  message: proto.IMessage,
  id: string,
): Promise<void> {
  const plain = encodeWAMessage(message);
  if (companions.length === 0) {
    return;
  }
  const { ciphertext, senderKey } = await sender.identity.encryptForGroup(group.jid, sender.lidJid, plain);
  for (const companion of companions) {
    const content: Node[] = [];
    if (group.claimKeyDelivery(sender, companion)) {
      const distribution = { groupId: group.jid, axolotlSenderKeyDistributionMessage: senderKey };
      const key = encodeWAMessage({ senderKeyDistributionMessage: distribution });
      content.push(encNode(context, await encryptFor(companion, sender, key)));
    }
    content.push(node("enc", { v: 2, type: "skmsg" }, ciphertext));
    const attrs = {
      id,
      type: stanzaType(message),
      t: context.seconds(),
      from: group.jid,
      participant: sender.lidJid,
      participant_pn: sender.pn,
      addressing_mode: "lid",
      notify: sender.name,
    };
    enqueueMessage(context, companion, {
      node: node("message", attrs, content),
      plain,
      author: sender.number,
      group: group.jid,
    });
  }
}

/** Encrypts a pending message again in a new session, for a device that could not decrypt it. */
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
    plain = await addSenderKey(author, stanza.group, plain);
  }
  await author.identity.startSession(companion.address, companion.consumeBundle());
  const encrypted = await author.identity.encrypt(companion.address, plain);
  const enc = node("enc", { v: 2, type: encrypted.type, count }, encrypted.bytes);
  companion.enqueue({ ...stanza, node: { ...stanza.node, content: [enc] } });
}

async function addSenderKey(author: User, group: string, padded: Uint8Array): Promise<Uint8Array> {
  const key = await author.identity.senderKeyFor(group, author.lidJid);
  const message = proto.Message.decode(unpadRandomMax16(padded));
  const distribution = { groupId: group, axolotlSenderKeyDistributionMessage: key };
  return encodeWAMessage({ ...message, senderKeyDistributionMessage: distribution });
}

/** Starts a session with the device if there is none. */
async function encryptFor(companion: Companion, sender: User, plain: Uint8Array): Promise<Ciphertext> {
  if (!(await sender.identity.hasSession(companion.address))) {
    await sender.identity.startSession(companion.address, companion.consumeBundle());
  }
  return sender.identity.encrypt(companion.address, plain);
}

function encNode(context: Context, encrypted: Ciphertext): Node {
  let bytes = encrypted.bytes;
  if (context.faults.corruptNext > 0) {
    context.faults.corruptNext--;
    bytes = Buffer.from(bytes);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  }
  return node("enc", { v: 2, type: encrypted.type }, bytes);
}

export function enqueueMessage(context: Context, companion: Companion, stanza: Omit<PendingStanza, "key">): void {
  context.stats.toLines++;
  const key = messageKey(stanza.node.attrs["id"] ?? "", stanza.node.attrs["from"] ?? "");
  companion.enqueue({ key, ...stanza });
  if (context.faults.duplicateNext > 0) {
    context.faults.duplicateNext--;
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

/** Edits and revokes are marked on the stanza as well. */
export function editAttribute(message: proto.IMessage): { edit?: string } {
  const { kind } = readMessage(message);
  if (kind === "edit") {
    return { edit: "1" };
  }
  return kind === "revoke" ? { edit: "7" } : {};
}
