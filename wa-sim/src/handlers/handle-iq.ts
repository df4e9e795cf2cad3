import { QueryIds, XWAPaths } from "baileys";
import { bundleNodes, CHATS, LineAccount } from "../network/index.ts";
import type { Companion, Network } from "../network/index.ts";
import { finishPairingCode, offerPairingCode } from "../pairing/index.ts";
import { attr, child, children, digitsOf, node, parseJid } from "../protocol/index.ts";
import type { Connection, Node } from "../protocol/index.ts";
import { announceBacklog, sendBacklog, sendHistory } from "./log-in.ts";
import { sendPictureUrl } from "./send-picture-url.ts";

interface IqRequest {
  network: Network;
  connection: Connection;
  /** Undefined while the client is not linked yet. */
  companion: Companion | undefined;
  iq: Node;
}

type Handler = (request: IqRequest) => void | Promise<void>;

const empty: Handler = ({ connection, iq }) => {
  connection.sendResult(iq);
};

const PRIVACY = ["readreceipts", "last", "online", "profile", "status", "groupadd", "calladd"];

/** Handlers by "xmlns type child". */
const handlers: Record<string, Handler> = {
  "encrypt get count": countPreKeys,
  "encrypt set registration": ({ connection, companion, iq }) => {
    companion?.saveUploadedKeys(iq);
    connection.sendResult(iq);
  },
  "encrypt set rotate": ({ connection, iq }) => {
    connection.sendResult(iq);
  },
  "encrypt get digest": ({ connection, iq }) => {
    connection.sendResult(iq, [node("digest")]);
  },
  "encrypt get key": sendPreKeyBundles,
  "passive set active": becomeActive,
  "passive set passive": empty,
  "usync get usync": answerUsync,
  "w:m set media_conn": ({ network, connection, iq }) => {
    const host = node("host", { hostname: new URL(network.media.origin).host, maxContentLengthBytes: 2 ** 31 });
    connection.sendResult(iq, [node("media_conn", { auth: "local", ttl: 3600, max_buckets: 12 }, [host])]);
  },
  "w:g2 get query": describeGroup,
  "w:g2 get participating": ({ network, connection, companion, iq }) => {
    const mine = [...network.groups.values()].filter(
      (group) => companion && group.lines.some((line) => line === companion.owner),
    );
    connection.sendResult(iq, [
      node(
        "groups",
        {},
        mine.map((group) => group.toNode()),
      ),
    ]);
  },
  "w:sync:app:state set sync": ({ network, connection, companion, iq }) => {
    const collections = children(child(iq, "sync"), "collection");
    const answers = collections.map(({ attrs: { name, version } }) => {
      const appState = name === CHATS && companion ? network.line(companion.record.phone).appState : undefined;
      const patches = appState?.since(Number(version)).map((bytes) => node("patch", {}, bytes)) ?? [];
      const about = { name, version: patches.length > 0 ? appState?.version : version };
      return node("collection", about, patches.length > 0 ? [node("patches", {}, patches)] : undefined);
    });
    connection.sendResult(iq, [node("sync", {}, answers)]);
  },
  "w:profile:picture get picture": ({ network, connection, iq }) => {
    sendPictureUrl(network, connection, iq);
  },
  "privacy get privacy": ({ connection, iq }) => {
    connection.sendResult(iq, [
      node(
        "privacy",
        {},
        PRIVACY.map((name) => node("category", { name, value: "all" })),
      ),
    ]);
  },
  "abt get props": ({ connection, iq }) => {
    connection.sendResult(iq, [node("props", { hash: "local" })]);
  },
  "blocklist get": ({ connection, iq }) => {
    connection.sendResult(iq, [node("list", {}, [])]);
  },
  "w:mex get query": ({ network, connection, companion, iq }) => {
    const limits = companion && network.line(companion.record.phone).limits;
    const id = child(iq, "query")?.attrs["query_id"];
    if (id !== QueryIds.REACHOUT_TIMELOCK && id !== QueryIds.MESSAGE_CAPPING_INFO) {
      network.unknownStanzas.push(iq);
    }
    const data =
      id === QueryIds.MESSAGE_CAPPING_INFO
        ? { [XWAPaths.xwa2_message_capping_info]: limits?.capData() }
        : { [XWAPaths.xwa2_fetch_account_reachout_timelock]: limits?.lockData() };
    connection.sendResult(iq, [node("result", {}, Buffer.from(JSON.stringify({ data })))]);
  },
  "md set link_code_companion_reg": ({ network, connection, iq }) => {
    const request = child(iq, "link_code_companion_reg") ?? node("nothing");
    if (attr(request, "stage") === "companion_hello") {
      offerPairingCode(network, connection, iq, request);
    } else {
      finishPairingCode(network, connection, iq, request);
    }
  },
  "md set remove-companion-device": ({ network, connection, companion, iq }) => {
    connection.sendResult(iq);
    if (companion) {
      network.line(companion.record.phone).forget(companion);
    }
  },
  "w:p get ping": empty,
  "privacy set tokens": empty,
  "urn:xmpp:whatsapp:dirty set clean": empty,
  "w:stats set add": empty,
  "disappearing_mode set disappearing_mode": empty,
  "w:biz get business_profile": ({ connection, iq }) => {
    connection.sendResult(iq, [node("business_profile", {}, [])]);
  },
  "bot get bot": ({ connection, iq }) => {
    connection.sendResult(iq, [node("bot", {}, [])]);
  },
};

/** Handles an IQ. An unknown one gets an empty result and is recorded in `unknownStanzas`, so that tests can assert none. */
export async function handleIq(request: IqRequest): Promise<void> {
  const { iq, network, connection } = request;
  const { xmlns = "", type = "" } = iq.attrs;
  if (type === "result" || type === "error") {
    return;
  }
  const first = children(iq)[0]?.tag ?? "";
  if (first === "usync" && child(child(child(iq, "usync"), "query"), "devices")) {
    network.stats.deviceQueries++;
  }
  const mute = network.faults.muteIq;
  if (mute.has(xmlns) || mute.has(`${xmlns}/${first}`)) {
    return;
  }
  const handler = handlers[`${xmlns} ${type} ${first}`] ?? handlers[`${xmlns} ${type}`];
  if (handler) {
    await handler(request);
    return;
  }
  network.unknownStanzas.push(iq);
  connection.sendResult(iq);
}

/** A count of 0 makes the client upload 812 pre-keys, 1 only five, which is enough here and much faster. */
function countPreKeys({ network, connection, companion, iq }: IqRequest): void {
  const stored = companion?.preKeys.size ?? 0;
  const value = stored === 0 && !network.options.uploadAllPreKeys ? 1 : stored;
  connection.sendResult(iq, [node("count", { value })]);
}

async function becomeActive({ network, connection, companion, iq }: IqRequest): Promise<void> {
  connection.sendResult(iq);
  if (companion) {
    await sendHistory(network, companion);
    announceBacklog(companion, connection);
    if (companion.pending.size === 0) {
      sendBacklog(network, companion, connection);
    }
  }
}

function sendPreKeyBundles({ network, connection, iq }: IqRequest): void {
  const answers = children(child(iq, "key"), "user").flatMap((asked) => {
    const jid = attr(asked, "jid");
    const user = network.findByJid(jid);
    const { device } = parseJid(jid);
    if (!user) {
      return [];
    }
    if (device === 0) {
      return [node("user", { jid }, bundleNodes(user.identity.publishBundle()))];
    }
    const companion = network.companion(user.number, device);
    return companion ? [node("user", { jid }, bundleNodes(companion.consumeBundle()))] : [];
  });
  connection.sendResult(iq, [node("list", {}, answers)]);
}

/** Answers a usync query: whether a number has an account, its devices, its LID. */
function answerUsync({ network, connection, iq }: IqRequest): void {
  const usync = child(iq, "usync");
  const asked = children(child(usync, "query")).map(({ tag }) => tag);
  const users = children(child(usync, "list"), "user").map((user) => {
    const contact = child(user, "contact")?.content;
    const number = contact instanceof Uint8Array ? Buffer.from(contact).toString() : String(contact ?? "");
    return asked.includes("contact")
      ? contactAnswer(network, number || (user.attrs["jid"] ?? ""))
      : detailsAnswer(network, user, asked);
  });
  connection.sendResult(iq, [
    node("usync", { ...usync?.attrs }, [
      node(
        "result",
        {},
        asked.map((tag) => node(tag)),
      ),
      node("list", {}, users),
    ]),
  ]);
}

/** The canonical address of a number, with or without the ninth digit; "out" if it has no account. */
function contactAnswer(network: Network, number: string): Node {
  const user = network.findOrCreate(number);
  const jid = user?.pn ?? `${digitsOf(number)}@s.whatsapp.net`;
  return node("user", { jid }, [node("contact", { type: user ? "in" : "out" })]);
}

function detailsAnswer(network: Network, asked: Node, protocols: string[]): Node {
  const jid = attr(asked, "jid");
  const user = network.findByJid(jid);
  const details: Node[] = [];
  if (user && protocols.includes("devices") && !network.faults.withoutDevices.includes(user.number)) {
    const linked = user instanceof LineAccount ? user.companions().map(({ record }) => record.device) : [];
    const devices = [0, ...linked].map((id) => node("device", { id, "key-index": id || undefined }));
    details.push(node("devices", {}, [node("device-list", {}, devices)]));
  }
  if (user && protocols.includes("lid") && !network.faults.omitLid) {
    details.push(node("lid", { val: user.lidJid }));
  }
  if (user && protocols.includes("status")) {
    details.push(node("status", { t: 0 }, Buffer.from("")));
  }
  return node("user", { jid }, details);
}

function describeGroup({ network, connection, iq }: IqRequest): void {
  const group = network.groups.get(parseJid(attr(iq, "to")).user);
  if (group) {
    connection.sendResult(iq, [group.toNode()]);
  } else {
    connection.sendError(iq, 404, "item-not-found");
  }
}
