import { messageKey } from "../delivery/index.ts";
import { LineAccount } from "../network/index.ts";
import type { Companion, Network, User } from "../network/index.ts";
import { Person } from "../people/index.ts";
import type { EncryptedPart } from "../people/index.ts";
import { attr, child, children, node, parseJid } from "../protocol/index.ts";
import type { Connection, Node } from "../protocol/index.ts";

/** The code of a first message that the account may not send (whatsapp.md section 11). */
const LIMITED = 463;

/** Handles a message of a line: delivers each recipient's part, acks, then runs the recipients' follow-ups (receipts). */
export async function handleMessage(
  network: Network,
  companion: Companion,
  connection: Connection,
  stanza: Node,
): Promise<void> {
  const { faults } = network;
  if (!faults.autoAck) {
    network.stats.dropped++;
    return;
  }
  const ack = { class: "message", id: attr(stanza, "id"), from: attr(stanza, "to"), t: network.seconds() };
  const first = firstMessageOf(network, companion, stanza);
  const error = faults.nextAckErrors.shift() ?? faults.ackError ?? (first?.isRefused ? LIMITED : undefined);
  if (error !== undefined) {
    network.stats.refused++;
    connection.send(node("ack", { ...ack, error }));
    return;
  }
  const afterAck = stanza.attrs["category"] === "peer" ? [] : await distribute(network, companion, stanza);
  first?.count();
  if (!faults.loseAck) {
    network.stats.acks++;
    connection.send(node("ack", ack));
  }
  for (const run of afterAck) {
    run();
  }
}

/** What the limits of the line's account say of a message to a person; undefined where they do not apply. */
function firstMessageOf(network: Network, companion: Companion, stanza: Node) {
  const { limits } = network.line(companion.record.phone);
  const to = attr(stanza, "to");
  const { lockedUntil, cap } = limits.view();
  // A retry goes to the one device that the stanza names, and was let through before.
  const isOther = to.endsWith("@g.us") || stanza.attrs["category"] === "peer" || stanza.attrs["participant"];
  if ((lockedUntil === null && cap === null) || isOther) {
    return undefined;
  }
  const person = network.findByJid(to);
  if (!(person instanceof Person)) {
    return undefined;
  }
  const chat = person.chatStateWith(companion.owner.number);
  return { isRefused: limits.refuses(person.number, chat), count: () => limits.countChat(person.number, chat) };
}

async function distribute(network: Network, companion: Companion, stanza: Node): Promise<(() => void)[]> {
  const shared = children(stanza, "enc");
  const to = attr(stanza, "to");
  const named = children(child(stanza, "participants"), "to");
  if (to.endsWith("@g.us") && stanza.attrs["participant"] === undefined) {
    return distributeToGroup(network, companion, stanza, named, shared);
  }
  // a retry goes to the one device that the stanza names
  const parts: [jid: string, enc: Node[]][] =
    shared.length > 0
      ? [[stanza.attrs["participant"] ?? to, shared]]
      : named.map((part) => [attr(part, "jid"), children(part, "enc")]);
  const afterAck: (() => void)[] = [];
  for (const [jid, enc] of parts) {
    const followUp = await deliverPart(network, companion, stanza, jid, enc);
    if (followUp) {
      afterAck.push(followUp);
    }
  }
  return afterAck;
}

/** Every group member gets the shared part; those without the sender key get it first, in a part of their own. */
async function distributeToGroup(
  network: Network,
  companion: Companion,
  stanza: Node,
  named: Node[],
  shared: Node[],
): Promise<(() => void)[]> {
  const group = network.groups.get(parseJid(attr(stanza, "to")).user);
  const keys = new Map(named.map((part) => [addressOf(network, attr(part, "jid")), children(part, "enc")]));
  const afterAck: (() => void)[] = [];
  const withDevices = (group?.members ?? []).filter(({ number }) => !network.faults.withoutDevices.includes(number));
  for (const member of withDevices) {
    const devices = member instanceof LineAccount ? member.companions().map(({ record }) => record.device) : [0];
    for (const device of devices) {
      const address = `${member.number}:${device}`;
      if (address === companion.id) {
        continue;
      }
      const jid = device === 0 ? member.lidJid : `${member.lid}:${device}@lid`;
      const followUp = await deliverPart(network, companion, stanza, jid, [...(keys.get(address) ?? []), ...shared]);
      if (followUp) {
        afterAck.push(followUp);
      }
    }
  }
  return afterAck;
}

function addressOf(network: Network, jid: string): string {
  return `${network.findByJid(jid)?.number ?? ""}:${parseJid(jid).device}`;
}

async function deliverPart(
  network: Network,
  sender: Companion,
  stanza: Node,
  jid: string,
  enc: Node[],
): Promise<(() => void) | undefined> {
  const user = network.findByJid(jid);
  const { device } = parseJid(jid);
  if (user instanceof Person) {
    return user.receiveStanza(sender, stanza, enc.map(encryptedPartOf));
  }
  const companion = user && device > 0 ? network.companion(user.number, device) : undefined;
  if (user && companion) {
    forward(network, sender, user, companion, stanza, enc);
  }
  return undefined; // an owner's phone does not store messages of its companions
}

function encryptedPartOf({ attrs, content }: Node): EncryptedPart {
  return { type: attrs["type"] ?? "", bytes: content instanceof Uint8Array ? content : new Uint8Array() };
}

/** Forwards the ciphertext to another linked device: of the same phone, or of another line. */
function forward(network: Network, sender: Companion, user: User, to: Companion, stanza: Node, enc: Node[]): void {
  const id = attr(stanza, "id");
  const chat = attr(stanza, "to");
  const common = {
    id,
    type: stanza.attrs["type"],
    t: network.seconds(),
    edit: stanza.attrs["edit"],
    notify: sender.owner.name,
  };
  const isGroup = chat.endsWith("@g.us");
  const isOwn = user === sender.owner;
  const attrs = isGroup
    ? { from: chat, participant: sender.address, participant_pn: sender.owner.pn }
    : isOwn
      ? { from: sender.address, recipient: chat, peer_recipient_pn: network.findByJid(chat)?.pn }
      : { from: sender.address, sender_pn: sender.owner.pn };
  to.enqueue({
    key: messageKey(id, attrs.from),
    node: node("message", { ...common, ...attrs, addressing_mode: "lid" }, enc),
  });
}
