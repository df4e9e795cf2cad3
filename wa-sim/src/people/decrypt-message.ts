import { proto, unpadRandomMax16 } from "baileys";
import type { Companion, Context, SignalIdentity } from "../network/index.ts";

/** A part of a stanza that a phone must decrypt. */
export interface EncryptedPart {
  type: string;
  bytes: Uint8Array;
}

/**
 * Decrypts what a line's device sent to one phone. A group key among the parts is learnt; the other part is the message.
 * Nothing is returned where a part cannot be read: the phone then asks for it again.
 */
export async function decryptMessage(
  context: Context,
  identity: SignalIdentity,
  sender: Companion,
  group: string | undefined,
  parts: EncryptedPart[],
): Promise<proto.IMessage | undefined> {
  let readable: proto.IMessage | undefined;
  try {
    for (const part of parts) {
      const message = proto.Message.decode(unpadRandomMax16(await open(context, identity, sender, group, part)));
      const key = message.senderKeyDistributionMessage;
      if (key?.axolotlSenderKeyDistributionMessage && key.groupId) {
        await identity.processSenderKey(key.groupId, sender.address, key.axolotlSenderKeyDistributionMessage);
        delete message.senderKeyDistributionMessage;
      }
      if (Object.keys(message).some((name) => name !== "messageContextInfo")) {
        readable = message;
      }
    }
  } catch (error) {
    context.log.debug({ error, sender: sender.id }, "a person cannot decrypt a message");
    return undefined;
  }
  return readable;
}

function open(
  context: Context,
  identity: SignalIdentity,
  sender: Companion,
  group: string | undefined,
  part: EncryptedPart,
): Promise<Uint8Array> {
  if (context.faults.garbleNextOutbound > 0) {
    context.faults.garbleNextOutbound--;
    throw new Error("garbled on purpose");
  }
  if (part.type === "skmsg") {
    return identity.decryptFromGroup(group ?? "", sender.address, part.bytes);
  }
  return identity.decrypt(sender.address, part.type === "pkmsg" ? "pkmsg" : "msg", part.bytes);
}
