import { deflateSync } from "node:zlib";
import { proto } from "baileys";
import { deliverMessage } from "../delivery/index.ts";
import { LineAccount } from "../network/index.ts";
import type { Companion, Network } from "../network/index.ts";
import { lidJid, node, SERVER } from "../protocol/index.ts";
import type { Connection } from "../protocol/index.ts";

/** The client's version, "2.3000.1". */
export function versionOf({ userAgent }: proto.ClientPayload): string {
  const { primary, secondary, tertiary } = userAgent?.appVersion ?? {};
  return [primary, secondary, tertiary].join(".");
}

/** Logs a linked client in. Returns its companion, or undefined if it was refused (401, or `loginFailure`). */
export function logIn(network: Network, connection: Connection, hello: proto.ClientPayload): Companion | undefined {
  const number = hello.username?.toString() ?? "";
  const phone = network.find(number);
  if (phone instanceof LineAccount && phone.loginFailure !== undefined) {
    connection.closeWith(node("failure", { reason: phone.loginFailure }));
    return undefined;
  }
  const companion = network.companion(number, hello.device ?? 0);
  if (!companion || !connection.clientKey.equals(companion.record.noiseKey)) {
    connection.closeWith(node("failure", { reason: 401 }));
    return undefined;
  }
  const before = companion.connection;
  companion.connection = connection;
  companion.isLive = false;
  companion.nacksToIgnore.clear();
  before?.closeWith(node("stream:error", {}, [node("conflict", { type: "replaced" })]));
  network.stats.logins++;
  connection.send(node("success", { t: network.seconds(), lid: lidJid(companion.owner.lid, companion.record.device) }));
  return companion;
}

/** Sends routing information and the size of the backlog. */
export function announceBacklog(companion: Companion, connection: Connection): void {
  const routing = node("routing_info", {}, Buffer.from([8, companion.record.device & 0x7f]));
  connection.send(node("ib", { from: SERVER }, [node("edge_routing", {}, [routing])]));
  const count = companion.pending.size;
  if (count > 0) {
    connection.send(node("ib", { from: SERVER }, [node("offline_preview", { count, message: count })]));
  }
}

/** Sends the backlog in order; from then on new stanzas are sent at once. */
export function sendBacklog(network: Network, companion: Companion, connection: Connection): void {
  const backlog = companion.backlog();
  network.stats.redelivered += backlog.length;
  for (const stanza of backlog) {
    connection.send(stanza);
  }
  connection.send(node("ib", { from: SERVER }, [node("offline", { count: backlog.length })]));
  companion.isLive = true;
}

/**
 * Sends the history sync that a device waits for after its first login. It is empty, and small enough for an inline
 * payload.
 */
export async function sendHistory(network: Network, companion: Companion): Promise<void> {
  if (companion.record.hasLoggedIn) {
    return;
  }
  companion.record.hasLoggedIn = true;
  companion.save();
  if (!network.options.sendHistory) {
    return;
  }
  const types = proto.HistorySync.HistorySyncType;
  const history = proto.HistorySync.encode({ syncType: types.INITIAL_BOOTSTRAP, conversations: [] }).finish();
  const historySyncNotification = {
    syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP,
    chunkOrder: 1,
    progress: 100,
    initialHistBootstrapInlinePayload: deflateSync(history),
  };
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION;
  const message = { protocolMessage: { type, historySyncNotification } };
  const attrs = { id: network.newId("H"), from: companion.owner.pn, category: "peer" };
  await deliverMessage(network, [companion], companion.owner, message, attrs);
}
