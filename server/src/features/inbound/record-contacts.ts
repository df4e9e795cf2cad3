import { connectionTextsOf } from "#server/features/bot/index.ts";
import { enqueueStalePictures } from "#server/features/contacts/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findContactsByAddress } from "./contacts-by-address.queries.ts";
import type { ContactByAddress } from "./contacts-by-address.queries.ts";
import { enqueueGroupSubject } from "./group-subjects.ts";
import type { Chat, IncomingMessage } from "./parse-line-events.ts";

interface Seen {
  readonly chat: Chat;
  readonly pushName: string;
  readonly isNote: boolean;
}

/** The contact of each chat, by `chatKey`. Chats without an address that could be answered are absent. */
export type ContactIds = ReadonlyMap<string, number>;

/**
 * The contacts of a batch. Whoever is known under every address that was seen, with the name that was seen, costs
 * nothing more than the one look; the others are found or made one by one, in a fixed order.
 */
export async function recordContacts(
  ctx: Ctx,
  connectionId: number,
  book: ContactResolver,
  incoming: readonly IncomingMessage[],
): Promise<ContactIds> {
  const chats = new Map<string, Seen & { pushName: string }>();
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
  const known = new Map(found.map((contact) => [`${contact.kind}:${contact.value}`, contact]));
  const ids = new Map<string, number>();
  const others: [string, Seen][] = [];
  for (const [key, entry] of chats) {
    const contactId = unchangedContact(known, entry);
    if (contactId === undefined) {
      others.push([key, entry]);
    } else {
      ids.set(key, contactId);
    }
  }
  // The same order everywhere: two lines that meet the same new people do not wait for each other in a circle.
  for (const [key, { chat, pushName, isNote }] of others.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (chat.kind === "group") {
      ids.set(key, await book.resolveGroup(ctx, connectionId, chat.groupId));
      enqueueGroupSubject(ctx, connectionId, chat.groupId);
    } else {
      const unnamed = isNote ? (await connectionTextsOf(ctx, connectionId)).defaults.notes : "";
      ids.set(key, await book.resolvePerson(ctx, connectionId, chat.person, pushName, unnamed));
    }
  }
  const unseen = found.flatMap(({ contactId, isPictureDue }) => (isPictureDue ? [contactId] : []));
  const newcomers = others.flatMap(([key]) => ids.get(key) ?? []);
  await enqueueStalePictures(ctx, connectionId, [...new Set([...unseen, ...newcomers])]);
  return ids;
}

/** One name for a chat; empty where there is no address at all. */
export function chatKey(chat: Chat): string {
  return addressesOf(chat)
    .map(({ kind, value }) => `${kind}:${value}`)
    .join(" ");
}

/** The addresses under which a chat was seen. */
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
  known: ReadonlyMap<string, ContactByAddress>,
  { chat, pushName, isNote }: Seen,
): number | undefined {
  const contacts = addressesOf(chat).map(({ kind, value }) => known.get(`${kind}:${value}`));
  const [first] = contacts;
  const isOne = first !== undefined && contacts.every((contact) => contact?.contactId === first.contactId);
  const isUnnamed = isNote && contacts.some((contact) => contact?.name === contact?.value);
  const isNameKnown =
    chat.kind === "group" || (pushName === "" && !isUnnamed) || first?.isNamed || first?.name === pushName;
  return isOne && isNameKnown ? first.contactId : undefined;
}
