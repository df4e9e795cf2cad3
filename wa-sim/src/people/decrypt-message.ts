import { proto, unpadRandomMax16 } from "baileys";
import type { Companion, Context, SignalIdentity } from "../network/index.ts";

/** An `enc` part of a message stanza. */
export interface EncryptedPart {
  type: string;
  bytes: Uint8Array;
}

/**
 * Decrypts a message of a line's device for one phone. Stores a sender key among the parts; the other part is the message.
 * Returns undefined if a part cannot be decrypted.
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
    context.log.debug({ error, sender: sender.id }, "person could not decrypt a message");
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
    throw new Error("garbled by a fault");
  }
  if (part.type === "skmsg") {
    return identity.decryptFromGroup(group ?? "", sender.address, part.bytes);
  }
  return identity.decrypt(sender.address, part.type === "pkmsg" ? "pkmsg" : "msg", part.bytes);
}
