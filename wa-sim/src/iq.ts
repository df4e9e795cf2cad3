import { CHATS } from "./app-state.ts";
import type { Companion } from "./companion.ts";
import type { Connection } from "./connection.ts";
import { announceBacklog, sendBacklog, sendHistory } from "./login.ts";
import type { Network } from "./network.ts";
import { digitsOf } from "./numbers.ts";
import { finishCode, offerCode } from "./pairing.ts";
import { Phone } from "./phone.ts";
import { answerPicture } from "./pictures.ts";
import { bundleNodes } from "./signal-identity.ts";
import { attr, child, children, node, parseJid } from "./wire.ts";
import type { Node } from "./wire.ts";

interface Question {
  network: Network;
  connection: Connection;
  /** Missing while the client is not linked yet. */
  companion: Companion | undefined;
  iq: Node;
}

type Handler = (question: Question) => void | Promise<void>;

const empty: Handler = ({ connection, iq }) => {
  connection.answer(iq);
};

const PRIVACY = ["readreceipts", "last", "online", "profile", "status", "groupadd", "calladd"];

/** What the server answers, by "xmlns type child". */
const handlers: Record<string, Handler> = {
  "encrypt get count": countPreKeys,
  "encrypt set registration": ({ connection, companion, iq }) => {
    companion?.learnKeys(iq);
    connection.answer(iq);
  },
  "encrypt set rotate": ({ connection, iq }) => {
    connection.answer(iq);
  },
  "encrypt get digest": ({ connection, iq }) => {
    connection.answer(iq, [node("digest")]);
  },
  "encrypt get key": giveKeys,
  "passive set active": becomeActive,
  "passive set passive": empty,
  "usync get usync": answerUsync,
  "w:m set media_conn": ({ network, connection, iq }) => {
    const host = node("host", { hostname: new URL(network.media.origin).host, maxContentLengthBytes: 2 ** 31 });
    connection.answer(iq, [node("media_conn", { auth: "local", ttl: 3600, max_buckets: 12 }, [host])]);
  },
  "w:g2 get query": describeGroup,
  "w:g2 get participating": ({ network, connection, companion, iq }) => {
    const mine = [...network.groups.values()].filter((group) => companion && group.lines.includes(companion.phone));
    connection.answer(iq, [
      node(
        "groups",
        {},
        mine.map((group) => group.describe()),
      ),
    ]);
  },
  "w:sync:app:state set sync": ({ connection, companion, iq }) => {
    const collections = children(child(iq, "sync"), "collection");
    const answers = collections.map(({ attrs: { name, version } }) => {
      const appState = name === CHATS ? companion?.phone.appState : undefined;
      const patches = appState?.since(Number(version)).map((bytes) => node("patch", {}, bytes)) ?? [];
      const about = { name, version: patches.length > 0 ? appState?.version : version };
      return node("collection", about, patches.length > 0 ? [node("patches", {}, patches)] : undefined);
    });
    connection.answer(iq, [node("sync", {}, answers)]);
  },
  "w:profile:picture get picture": ({ network, connection, iq }) => {
    answerPicture(network, connection, iq);
  },
  "privacy get privacy": ({ connection, iq }) => {
    connection.answer(iq, [
      node(
        "privacy",
        {},
        PRIVACY.map((name) => node("category", { name, value: "all" })),
      ),
    ]);
  },
  "abt get props": ({ connection, iq }) => {
    connection.answer(iq, [node("props", { hash: "local" })]);
  },
  "blocklist get": ({ connection, iq }) => {
    connection.answer(iq, [node("list", {}, [])]);
  },
  "w:mex get query": ({ connection, iq }) => {
    const data = { xwa2_fetch_account_reachout_timelock: { is_active: false } };
    connection.answer(iq, [node("result", {}, Buffer.from(JSON.stringify({ data })))]);
  },
  "md set link_code_companion_reg": ({ network, connection, iq }) => {
    const request = child(iq, "link_code_companion_reg") ?? node("nothing");
    if (attr(request, "stage") === "companion_hello") {
      offerCode(network, connection, iq, request);
    } else {
      finishCode(network, connection, iq, request);
    }
  },
  "md set remove-companion-device": ({ connection, companion, iq }) => {
    connection.answer(iq);
    companion?.phone.forget(companion);
  },
  "w:p get ping": empty,
  "privacy set tokens": empty,
  "urn:xmpp:whatsapp:dirty set clean": empty,
  "w:stats set add": empty,
  "disappearing_mode set disappearing_mode": empty,
  "w:biz get business_profile": ({ connection, iq }) => {
    connection.answer(iq, [node("business_profile", {}, [])]);
  },
  "bot get bot": ({ connection, iq }) => {
    connection.answer(iq, [node("bot", {}, [])]);
  },
};

/** Answers an IQ. An unknown one gets an empty result and is remembered, so that tests can insist there is none. */
export async function answerIq(question: Question): Promise<void> {
  const { iq, network, connection } = question;
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
    await handler(question);
    return;
  }
  network.unknownStanzas.push(iq);
  connection.answer(iq);
}

/** Told "0" a client uploads 812 keys at once; "1" makes it five, which is enough here and much faster. */
function countPreKeys({ network, connection, companion, iq }: Question): void {
  const stored = companion?.preKeys.size ?? 0;
  const value = stored === 0 && !network.options.uploadAllPreKeys ? 1 : stored;
  connection.answer(iq, [node("count", { value })]);
}

async function becomeActive({ network, connection, companion, iq }: Question): Promise<void> {
  connection.answer(iq);
  if (companion) {
    await sendHistory(network, companion);
    announceBacklog(companion, connection);
    if (companion.pending.size === 0) {
      sendBacklog(network, companion, connection);
    }
  }
}

function giveKeys({ network, connection, iq }: Question): void {
  const answers = children(child(iq, "key"), "user").flatMap((asked) => {
    const jid = attr(asked, "jid");
    const user = network.byJid(jid);
    const { device } = parseJid(jid);
    if (!user) {
      return [];
    }
    if (device === 0) {
      return [node("user", { jid }, bundleNodes(user.identity.publishBundle()))];
    }
    const companion = network.companions.get(`${user.number}:${device}`);
    return companion ? [node("user", { jid }, bundleNodes(companion.takeBundle()))] : [];
  });
  connection.answer(iq, [node("list", {}, answers)]);
}

/** The directory: who exists under a number, which devices somebody has, which LID belongs to a number. */
function answerUsync({ network, connection, iq }: Question): void {
  const usync = child(iq, "usync");
  const asked = children(child(usync, "query")).map(({ tag }) => tag);
  const users = children(child(usync, "list"), "user").map((user) => {
    const contact = child(user, "contact")?.content;
    const number = contact instanceof Uint8Array ? Buffer.from(contact).toString() : String(contact ?? "");
    return asked.includes("contact")
      ? contactAnswer(network, number || (user.attrs["jid"] ?? ""))
      : detailsAnswer(network, user, asked);
  });
  connection.answer(iq, [
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

/** The canonical address of a number, whichever way it was written; "out" for one that has no WhatsApp. */
function contactAnswer(network: Network, number: string): Node {
  const user = network.lookUp(number);
  const jid = user?.pn ?? `${digitsOf(number)}@s.whatsapp.net`;
  return node("user", { jid }, [node("contact", { type: user ? "in" : "out" })]);
}

function detailsAnswer(network: Network, asked: Node, protocols: string[]): Node {
  const jid = attr(asked, "jid");
  const user = network.byJid(jid);
  const details: Node[] = [];
  if (user && protocols.includes("devices") && !network.faults.withoutDevices.includes(user.number)) {
    const linked = user instanceof Phone ? user.companions().map(({ record }) => record.device) : [];
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

function describeGroup({ network, connection, iq }: Question): void {
  const group = network.groups.get(parseJid(attr(iq, "to")).user);
  if (group) {
    connection.answer(iq, [group.describe()]);
  } else {
    connection.refuse(iq, 404, "item-not-found");
  }
}
