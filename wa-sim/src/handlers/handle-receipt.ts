import { hkdfSync, randomBytes } from "node:crypto";
import { proto } from "baileys";
import { encryptAgain, messageKey, receiptKey } from "../delivery/index.ts";
import { LineAccount } from "../network/index.ts";
import type { Companion, Network } from "../network/index.ts";
import { Person } from "../people/index.ts";
import { attr, child, children, node, seal } from "../protocol/index.ts";
import type { Connection, Node } from "../protocol/index.ts";

// The limit of WhatsApp's clients: retries of one message.
const MAX_RETRIES = 5;

/** Handles a receipt of a line: delivery, read, played, retry, or media retry (`server-error`). */
export async function handleReceipt(
  network: Network,
  companion: Companion,
  connection: Connection,
  receipt: Node,
): Promise<void> {
  const { type } = receipt.attrs;
  if (type === "retry") {
    await resendMessage(network, companion, receipt);
  } else if (type === "server-error" && network.faults.dropAtMediaRetry) {
    connection.drop();
    return;
  } else if (type === "server-error") {
    answerMediaRetry(network, companion, receipt);
  } else {
    confirm(network, companion, receipt);
  }
  connection.send(
    node("ack", { class: "receipt", id: attr(receipt, "id"), from: receipt.attrs["to"], type, t: network.seconds() }),
  );
}

function confirm(network: Network, companion: Companion, receipt: Node): void {
  const { type } = receipt.attrs;
  const items = children(child(receipt, "list"), "item").map((item) => attr(item, "id"));
  const author = network.findByJid(receipt.attrs["participant"] || attr(receipt, "to"));
  for (const id of [attr(receipt, "id"), ...items]) {
    companion.confirm(messageKey(id, attr(receipt, "to")));
    if (type === "sender" || type === "peer_msg" || type === "hist_sync") {
      continue;
    }
    const isRead = type === "read" || type === "played";
    if (author instanceof Person) {
      author.advanceStatus(id, isRead ? type : "delivered");
    } else if (author instanceof LineAccount && author !== companion.owner) {
      forwardToLine(network, companion, author, id, type);
    }
  }
}

/** Forwards the receipt to the devices of another line, the author of the message. */
function forwardToLine(
  network: Network,
  reader: Companion,
  author: LineAccount,
  id: string,
  type: string | undefined,
): void {
  const kind = type === "read" || type === "played" ? type : undefined;
  const stanza = node("receipt", { id, from: reader.owner.lidJid, type: kind, t: network.seconds() });
  for (const companion of author.companions()) {
    companion.enqueue({ key: receiptKey(stanza), node: stanza });
  }
}

async function resendMessage(network: Network, companion: Companion, receipt: Node): Promise<void> {
  network.stats.retriesByLines++;
  const key = messageKey(attr(receipt, "id"), attr(receipt, "to"));
  const stanza = companion.pending.get(key);
  const count = child(receipt, "retry")?.attrs["count"] ?? "1";
  if (!stanza || Number(count) > MAX_RETRIES) {
    return;
  }
  companion.nacksToIgnore.set(key, (companion.nacksToIgnore.get(key) ?? 0) + 1);
  await encryptAgain(network, companion, stanza, count);
}

/** Handles an ack of a line. With an error code on a message it is a nack: the line refuses it, or has sent a retry receipt. */
export function handleAck(network: Network, companion: Companion, ack: Node): void {
  const { class: kind = "", error, id = "" } = ack.attrs;
  if (kind === "message") {
    const key = messageKey(id, attr(ack, "to"));
    const toIgnore = companion.nacksToIgnore.get(key) ?? 0;
    if (error !== undefined) {
      network.stats.nacks[error] = (network.stats.nacks[error] ?? 0) + 1;
    }
    if (error !== undefined && toIgnore > 0) {
      companion.nacksToIgnore.set(key, toIgnore - 1);
      return;
    }
    companion.confirm(key);
    return;
  }
  companion.confirm(kind === "receipt" ? receiptKey(ack, ack.attrs["to"]) : `${kind}:${id}`);
}

/** Media retry: the sender's phone uploads the file again and sends the new path, encrypted under the file's key. */
function answerMediaRetry(network: Network, companion: Companion, receipt: Node): void {
  const id = attr(receipt, "id");
  const about = child(receipt, "rmr");
  const author = network.findByJid(about?.attrs["participant"] || (about?.attrs["jid"] ?? ""));
  const file = author instanceof Person ? author.fileOf(id) : undefined;
  const directPath = file && !network.faults.refuseMediaRetry ? network.media.uploadAgain(file.directPath) : undefined;
  const attrs = { type: "mediaretry", from: companion.owner.pn, id, t: network.seconds() };
  const rmr = node("rmr", { ...about?.attrs });
  const content =
    file && directPath !== undefined
      ? [encryptedPath(id, directPath, file.mediaKey), rmr]
      : [node("error", { code: 2 }), rmr];
  companion.enqueue({ key: `notification:${id}`, node: node("notification", attrs, content) });
}

function encryptedPath(stanzaId: string, directPath: string, mediaKey: Uint8Array): Node {
  const result = proto.MediaRetryNotification.ResultType.SUCCESS;
  const plain = proto.MediaRetryNotification.encode({ stanzaId, directPath, result }).finish();
  const info = "WhatsApp Media Retry Notification";
  const key = Buffer.from(hkdfSync("sha256", mediaKey, Buffer.alloc(32), info, 32));
  const iv = randomBytes(12);
  const sealed = seal(key, iv, Buffer.from(stanzaId), plain);
  return node("encrypt", {}, [node("enc_p", {}, sealed), node("enc_iv", {}, iv)]);
}
