import { connectionTextsOf } from "#server/features/bot/index.ts";
import { enqueuePictureDownload, enqueueStalePictures } from "#server/features/contacts/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { createReservedTicket } from "#server/features/tickets/index.ts";
import type { ChatTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enqueueGroupSubject } from "./group-subjects.ts";
import type { Chat, IncomingMessage } from "./parse-line-events.ts";
import { findSeenChats } from "./seen-chats.queries.ts";
import type { ContactByAddress, ReservedIds, SeenChats } from "./seen-chats.queries.ts";

/** A chat of the batch, with the push name that it had last. */
interface ObservedChat {
  readonly chat: Chat;
  readonly pushName: string;
  readonly isNote: boolean;
  /** When its first message was sent. */
  readonly at: Date;
}

/** Contact ids by `chatKey`. Chats without an address are absent. */
export type ContactIds = ReadonlyMap<string, number>;

/** The contacts of a batch, and those of their tickets that are locked already, by contact. */
export interface RecordedContacts {
  readonly contactIds: ContactIds;
  readonly lockedTickets: ReadonlyMap<number, ChatTicket>;
}

/**
 * Finds or creates the contacts of a batch. One query finds those whose addresses and names are unchanged, with their tickets;
 * the unresolved are resolved one by one, in a fixed order.
 */
export async function recordContacts(
  ctx: Ctx,
  connectionId: number,
  resolver: ContactResolver,
  incoming: readonly IncomingMessage[],
): Promise<RecordedContacts> {
  const chats = new Map<string, ObservedChat & { pushName: string }>();
  for (const { chat, pushName, isNote, sentAt } of incoming) {
    const key = chatKey(chat);
    const entry = chats.get(key);
    if (!entry) {
      chats.set(key, { chat, pushName, isNote, at: sentAt });
    } else if (pushName !== "") {
      entry.pushName = pushName;
    }
  }
  chats.delete("");
  if (chats.size === 0) {
    return { contactIds: new Map(), lockedTickets: new Map() };
  }

  const wanted = [...chats.values()].flatMap(({ chat, pushName }, index) =>
    addressesOf(chat).map((address) => ({ ...address, pushName, chat: index })),
  );
  const seen = await findSeenChats(ctx, connectionId, wanted, { reserves: chats.size === 1 });
  const byAddress = contactsByAddress(seen);
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
  const resolved: number[] = [];
  const lockedTickets = new Map(seen.tickets);
  // Sorted, so that two lines that create the same contacts cannot deadlock; descending, so that a number with its LID comes
  // before either alone, and no contact is created only to be merged.
  for (const [key, entry] of unresolved.toSorted(([a], [b]) => (a > b ? -1 : 1))) {
    const { chat, isNote } = entry;
    const unnamed = isNote ? (await connectionTextsOf(ctx, connectionId)).defaults.notes : "";
    const [created, ticket] = isUnseen(byAddress, seen.numbersTaken, chat)
      ? await createUnseen(ctx, connectionId, resolver, entry, { unnamed, reserved: seen.reserved })
      : [null];
    if (created !== null) {
      enqueuePictureDownload(ctx, connectionId, created);
      if (ticket) {
        lockedTickets.set(created, ticket);
      }
    } else {
      resolved.push(await resolve(ctx, connectionId, resolver, entry, unnamed));
    }
    ids.set(key, created ?? resolved.at(-1)!);
    if (chat.kind === "group") {
      enqueueGroupSubject(ctx, connectionId, chat.groupId);
    }
  }
  const stalePictures = seen.contacts.flatMap(({ contactId, isPictureStale }) => (isPictureStale ? [contactId] : []));
  await enqueueStalePictures(ctx, connectionId, [...new Set([...stalePictures, ...resolved])]);
  if (resolved.length === 0 || chats.size === 1) {
    return { contactIds: ids, lockedTickets };
  }
  // One chat may have told that the contacts of others are one person: those that were merged are gone.
  const now = await findSeenChats(ctx, connectionId, wanted, { reserves: false });
  return { contactIds: contactIdsNow(contactsByAddress(now), chats, ids), lockedTickets: now.tickets };
}

function contactsByAddress({ contacts }: SeenChats): ReadonlyMap<string, ContactByAddress> {
  return new Map(contacts.map((contact) => [`${contact.kind}:${contact.value}`, contact]));
}

/** The ids of the chats' contacts as their addresses lead to them now; a number decides before a LID, which may move. */
function contactIdsNow(
  byAddress: ReadonlyMap<string, ContactByAddress>,
  chats: ReadonlyMap<string, ObservedChat>,
  before: ContactIds,
): ContactIds {
  return new Map(
    [...before].map(([key, id]) => {
      const contact = addressesOf(chats.get(key)!.chat)
        .map(({ kind, value }) => byAddress.get(`${kind}:${value}`))
        .find(Boolean);
      return [key, contact?.contactId ?? id];
    }),
  );
}

/** Leads no address of the chat to a contact, and has nobody its number? */
function isUnseen(
  byAddress: ReadonlyMap<string, ContactByAddress>,
  numbersTaken: SeenChats["numbersTaken"],
  chat: Chat,
): boolean {
  const addresses = addressesOf(chat).map(({ kind, value }) => `${kind}:${value}`);
  return !addresses.some((address) => byAddress.has(address) || numbersTaken.has(address));
}

function identifiersOf(chat: Chat) {
  return chat.kind === "group"
    ? { phone: null, lid: null, group: chat.groupId }
    : { phone: chat.person.phone, lid: chat.person.lid, group: null };
}

/**
 * The contact of a chat that nobody knows, and its ticket where the batch has no other chat: under reserved ids, for which the chat's
 * messages need not wait. For several, one statement creates all tickets. Null where somebody else has created the contact meanwhile, or
 * there is no number to tell by.
 */
async function createUnseen(
  ctx: Ctx,
  connectionId: number,
  resolver: ContactResolver,
  { chat, pushName, at }: ObservedChat,
  { unnamed, reserved }: { readonly unnamed: string; readonly reserved: ReservedIds | undefined },
): Promise<[contactId: number | null, ticket?: ChatTicket]> {
  const identifiers = identifiersOf(chat);
  const isGroup = chat.kind === "group";
  const name = isGroup ? "" : pushName;
  if (!reserved) {
    return [await resolver.createUnseen(ctx, connectionId, identifiers, name, unnamed)];
  }
  const { contactId, ticketId } = reserved;
  return resolver.createReserved(ctx, connectionId, contactId, identifiers, name, unnamed)
    ? [contactId, createReservedTicket(ctx, connectionId, { id: ticketId, contactId, isGroup, at })]
    : [null];
}

function resolve(
  ctx: Ctx,
  connectionId: number,
  resolver: ContactResolver,
  { chat, pushName }: ObservedChat,
  unnamed: string,
): Promise<number> {
  return chat.kind === "group"
    ? resolver.resolveGroup(ctx, connectionId, chat.groupId)
    : resolver.resolvePerson(ctx, connectionId, chat.person, pushName, unnamed);
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
