import type { StoredMessage } from "./chat.ts";
import { Companion } from "./companion.ts";
import type { CompanionRecord } from "./companion.ts";
import { Group } from "./groups.ts";
import type { GroupRecord } from "./groups.ts";
import type { Network } from "./network.ts";
import { Person } from "./person.ts";
import type { UserRecord } from "./user.ts";

/** Brings back everything that the journal kept, in the order in which the parts need each other. */
export async function restore(network: Network): Promise<void> {
  const { journal } = network;
  for (const [, record] of [...journal.startingWith("user/")]) {
    network.add(record as UserRecord);
  }
  for (const [name, value] of journal.startingWith("signal/")) {
    const [, owner = "", kind = "", ...id] = name.split("/");
    network.users.get(owner)?.identity.restore(kind, id.join("/"), value);
  }
  for (const [name, message] of journal.startingWith("chat/")) {
    const person = network.users.get(name.split("/", 2)[1] ?? "");
    if (person instanceof Person) {
      person.restore(message as StoredMessage);
    }
  }
  for (const [, value] of journal.startingWith("companion/")) {
    const record = value as CompanionRecord;
    const phone = network.line(record.phone);
    phone.link(new Companion(network, phone, record));
  }
  for (const [name, publicKey] of journal.startingWith("prekey/")) {
    const [, companion = "", id = ""] = name.split("/");
    network.companions.get(companion)?.preKeys.set(Number(id), publicKey as Buffer);
  }
  for (const [name, value] of journal.startingWith("stanza/")) {
    await network.companions.get(name.split("/", 2)[1] ?? "")?.restoreStanza(value);
  }
  for (const [, record] of [...journal.startingWith("group/")]) {
    const group = new Group(network, record as GroupRecord);
    network.groups.set(group.record.id, group);
  }
}
