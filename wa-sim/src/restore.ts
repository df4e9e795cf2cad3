import type { StoredMessage } from "./messages/index.ts";
import { Companion, Group } from "./network/index.ts";
import type { CompanionRecord, GroupRecord, LimitsRecord, Network, UserRecord } from "./network/index.ts";
import { Person } from "./people/index.ts";

/** Restores the network from the journal, in the order of dependence. */
export async function restore(network: Network): Promise<void> {
  const { journal } = network;
  for (const [, record] of [...journal.entriesWithPrefix("user/")]) {
    network.add(record as UserRecord);
  }
  for (const [name, value] of journal.entriesWithPrefix("signal/")) {
    const [, owner = "", kind = "", ...id] = name.split("/");
    network.users.get(owner)?.identity.restore(kind, id.join("/"), value);
  }
  for (const [name, message] of journal.entriesWithPrefix("chat/")) {
    const person = network.users.get(name.split("/", 2)[1] ?? "");
    if (person instanceof Person) {
      person.restore(message as StoredMessage);
    }
  }
  for (const [name, record] of journal.entriesWithPrefix("limits/")) {
    network.line(name.slice("limits/".length)).limits.restore(record as LimitsRecord);
  }
  for (const [, value] of journal.entriesWithPrefix("companion/")) {
    const record = value as CompanionRecord;
    const line = network.line(record.phone);
    line.link(new Companion(network, line, record));
  }
  for (const [name, publicKey] of journal.entriesWithPrefix("prekey/")) {
    const [, companion = "", id = ""] = name.split("/");
    findCompanion(network, companion)?.preKeys.set(Number(id), publicKey as Buffer);
  }
  for (const [name, value] of journal.entriesWithPrefix("stanza/")) {
    await findCompanion(network, name.split("/", 2)[1] ?? "")?.restoreStanza(value);
  }
  for (const [, record] of [...journal.entriesWithPrefix("group/")]) {
    const group = new Group(network, network.users, record as GroupRecord);
    network.groups.set(group.record.id, group);
  }
}

/** `id`: "number:device". */
function findCompanion(network: Network, id: string): Companion | undefined {
  const [number = "", device = ""] = id.split(":");
  return network.companion(number, Number(device));
}
