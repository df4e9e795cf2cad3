import { connectionTextsOf } from "#server/features/bot/index.ts";
import { enqueueStalePictures } from "#server/features/contacts/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findContactsByAddress } from "./contacts-by-address.queries.ts";
import type { ContactByAddress } from "./contacts-by-address.queries.ts";
import { enqueueGroupSubject } from "./group-subjects.ts";
import type { Chat, IncomingMessage } from "./parse-line-events.ts";

/** A chat of the batch, with the push name that it had last. */
interface ObservedChat {
  readonly chat: Chat;
  readonly pushName: string;
  readonly isNote: boolean;
}

/** Contact ids by `chatKey`. Chats without an address are absent. */
export type ContactIds = ReadonlyMap<string, number>;

/**
 * Finds or creates the contacts of a batch. One query finds those whose addresses and names are unchanged; the unresolved are
 * resolved one by one, in a fixed order.
 */
export async function recordContacts(
  ctx: Ctx,
  connectionId: number,
  resolver: ContactResolver,
  incoming: readonly IncomingMessage[],
): Promise<ContactIds> {
  const chats = new Map<string, ObservedChat & { pushName: string }>();
  for (const { chat, pushName, isNote } of incoming) {
    const key = chatKey(chat);
    const entry = chats.get(key);
    if (!entry) {
      chats.set(key, { chat, pushName, isNote });
    } else if (pushName !== "") {
      entry.pushName = pushName;
    }
  }
  chats.delete("");
  if (chats.size === 0) {
    return new Map();
  }

  const addresses = [...chats.values()].flatMap(({ chat }) => addressesOf(chat));
  const found = await findContactsByAddress(ctx, connectionId, addresses);
  const byAddress = new Map(found.map((contact) => [`${contact.kind}:${contact.value}`, contact]));
  const ids = new Map<string, number>();
  const unresolved: [string, ObservedChat][] = [];
  for (const [key, entry] of chats) {
    const contactId = unchangedContact(byAddress, entry);
    if (contactId === undefined) {
      unresolved.push([key, entry]);
    } else {
      ids.set(key, contactId);
    }
  }
  // Sorted, so that two lines that create the same contacts cannot deadlock.
  for (const [key, { chat, pushName, isNote }] of unresolved.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (chat.kind === "group") {
      ids.set(key, await resolver.resolveGroup(ctx, connectionId, chat.groupId));
      enqueueGroupSubject(ctx, connectionId, chat.groupId);
    } else {
      const unnamed = isNote ? (await connectionTextsOf(ctx, connectionId)).defaults.notes : "";
      ids.set(key, await resolver.resolvePerson(ctx, connectionId, chat.person, pushName, unnamed));
    }
  }
  const stalePictures = found.flatMap(({ contactId, isPictureStale }) => (isPictureStale ? [contactId] : []));
  const resolved = unresolved.flatMap(([key]) => ids.get(key) ?? []);
  await enqueueStalePictures(ctx, connectionId, [...new Set([...stalePictures, ...resolved])]);
  return ids;
}

/** Key of a chat by its addresses; empty where it has none. */
export function chatKey(chat: Chat): string {
  return addressesOf(chat)
    .map(({ kind, value }) => `${kind}:${value}`)
    .join(" ");
}

/** The addresses of a chat: phone number and LID of a person, or the group. */
export function addressesOf(chat: Chat): { readonly kind: "phone" | "lid" | "group"; readonly value: string }[] {
  if (chat.kind === "group") {
    return [{ kind: "group", value: chat.groupId }];
  }
  const { phone, lid } = chat.person;
  return [
    ...(phone === null ? [] : [{ kind: "phone" as const, value: phone }]),
    ...(lid === null ? [] : [{ kind: "lid" as const, value: lid }]),
  ];
}

function unchangedContact(
  byAddress: ReadonlyMap<string, ContactByAddress>,
  { chat, pushName, isNote }: ObservedChat,
): number | undefined {
  const contacts = addressesOf(chat).map(({ kind, value }) => byAddress.get(`${kind}:${value}`));
  const [first] = contacts;
  const isOne = first !== undefined && contacts.every((contact) => contact?.contactId === first.contactId);
  const isUnnamed = isNote && contacts.some((contact) => contact?.name === contact?.value);
  const isNameKnown =
    chat.kind === "group" || (pushName === "" && !isUnnamed) || first?.isNamed || first?.name === pushName;
  return isOne && isNameKnown ? first.contactId : undefined;
}
