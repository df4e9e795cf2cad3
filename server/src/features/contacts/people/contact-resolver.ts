import type { Ctx } from "#server/platform/ctx.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { contactCreated, contactDeleted, contactUpdated } from "../contacts.events.ts";
import { deleteContact } from "../contacts.queries.ts";
import {
  inheritDetails,
  insertObservedContact,
  insertReservedContact,
  insertUnseenContact,
  insertUnseenPeople,
  lockIdentifiers,
  matchIdentifiers,
  matchPeople,
  moveIdentifiers,
  saveIdentifiers,
  saveNumberOrName,
} from "./contact-resolver.queries.ts";
import type { IdentifierMatch, ObservedIdentifiers, PersonOnLine } from "./contact-resolver.queries.ts";
import { resolveIdentity } from "./identity.ts";
import type { ContactMergeParticipants } from "./merge-participants.ts";

/** Finds or creates the contact behind the addresses under which a line sees a person or a group. */
export interface ContactResolver {
  /**
   * Returns the id of the person's contact. Creates it, merges contacts that turn out to be one person, and saves a new
   * push name. `fallbackName`: the name while only the number is known; by default the number.
   */
  resolvePerson(
    ctx: Ctx,
    connectionId: number,
    person: PersonRef,
    pushName: string,
    fallbackName?: string,
  ): Promise<number>;
  /**
   * The same for a number as people or other software wrote it, which WhatsApp was not asked about: a contact that has it keeps its
   * own spelling, because messages are sent to that (decision 0043).
   */
  resolveWritten(ctx: Ctx, connectionId: number, person: PersonRef): Promise<number>;
  /** The same for people of several lines, in their order, without push names: two statements for those who are new or known. */
  resolvePeople(
    ctx: Ctx,
    people: readonly (PersonOnLine & { readonly fallbackName: string })[],
  ): Promise<readonly number[]>;
  /**
   * Creates the contact of addresses that, as a statement before has shown, lead to nobody. Its picture counts as fetched now:
   * the caller fetches it. Null where somebody else has created it meanwhile, or there is no number to tell by: resolve it.
   */
  createUnseen(
    ctx: Ctx,
    connectionId: number,
    observed: ObservedIdentifiers,
    pushName: string,
    fallbackName?: string,
  ): Promise<number | null>;
  /**
   * The same under a reserved id, which the caller may use at once: where somebody else was first the transaction is tried again. False
   * where there is no number to tell by: resolve it.
   */
  createReserved(
    ctx: Ctx,
    connectionId: number,
    id: number,
    observed: ObservedIdentifiers,
    pushName: string,
    fallbackName?: string,
  ): boolean;
  resolveGroup(ctx: Ctx, connectionId: number, groupId: string): Promise<number>;
  /** A phone number and a LID are one person: their contacts are merged (W-10). Creates no contact. */
  linkPhoneAndLid(ctx: Ctx, connectionId: number, phone: string, lid: string): Promise<void>;
  nameGroup(ctx: Ctx, connectionId: number, groupId: string, subject: string): Promise<void>;
}

const longestName = 200;

interface DisplayName {
  /** The push name of a person or the subject of a group; empty while unknown. */
  readonly name: string;
  readonly fallback: string;
}

const noName: DisplayName = { name: "", fallback: "" };

/** Who spelled a number: WhatsApp, or people and other software. */
type Spelling = "WhatsApp's" | "theirs";

type AutomaticMerge = Pick<ContactMergeParticipants, "move" | "moveErasure">;

/** Safe under concurrency of lines and people: writes for the same identifiers wait for an advisory lock. */
export function createContactResolver(participants: AutomaticMerge): ContactResolver {
  async function resolve(
    ctx: Ctx,
    connectionId: number,
    observed: ObservedIdentifiers,
    displayName: DisplayName,
    spelling: Spelling = "WhatsApp's",
  ): Promise<number> {
    const match = await matchIdentifiers(ctx, connectionId, observed);
    const identity = resolveIdentity(spelled(observed, match, spelling), match);
    return identity.kind === "known"
      ? updateName(ctx, identity.id, match, displayName)
      : resolveLocked(ctx, connectionId, observed, displayName, spelling);
  }

  /** Something must be written: matches again under the lock, because another transaction may have written it. */
  async function resolveLocked(
    ctx: Ctx,
    connectionId: number,
    given: ObservedIdentifiers,
    displayName: DisplayName,
    spelling: Spelling,
  ): Promise<number> {
    await lockIdentifiers(ctx, lockKeysOf(given));
    const match = await matchIdentifiers(ctx, connectionId, given);
    const observed = spelled(given, match, spelling);
    const identity = resolveIdentity(observed, match);

    if (identity.kind === "new") {
      const id = await insertObservedContact(ctx, newContact(observed, displayName));
      await saveIdentifiers(ctx, connectionId, id, observed);
      ctx.emit(contactCreated(id));
      return id;
    }
    if (identity.kind === "merge") {
      await mergeInto(ctx, identity.duplicateId, identity.id, participants);
    }
    if (identity.kind !== "known") {
      await saveIdentifiers(ctx, connectionId, identity.id, observed);
    }
    // WhatsApp's own spelling of the number, or the first number of a contact that was known by its LID alone.
    if (observed.phone !== null && observed.phone !== match.number) {
      await saveNumberOrName(ctx, identity.id, { number: observed.phone });
      ctx.emit(contactUpdated(identity.id));
    }
    return updateName(ctx, identity.id, match, displayName);
  }

  /** Those whom nobody knows, in one statement; undefined for who has no number, or was created by somebody else meanwhile. */
  async function createPeople(
    ctx: Ctx,
    people: readonly (PersonOnLine & { readonly fallbackName: string })[],
  ): Promise<(number | undefined)[]> {
    const ids = people.map((): number | undefined => undefined);
    const unseen = people.flatMap((person, index) => (person.phone === null ? [] : [{ ...person, index }]));
    if (unseen.length > 0) {
      const rows = unseen.map((person) => ({ ...person, name: person.fallbackName || (person.phone ?? "") }));
      const lockKeys = unseen.flatMap((person) => lockKeysOf({ ...person, group: null }));
      for (const { id, at, isComplete } of await insertUnseenPeople(ctx, rows, lockKeys)) {
        ctx.emit(contactCreated(id));
        if (isComplete) {
          ids[unseen[at]!.index] = id;
        }
      }
    }
    return ids;
  }

  return {
    async resolvePeople(ctx, people) {
      const matches = people.length === 0 ? [] : await matchPeople(ctx, people);
      const ids = people.map((): number | undefined => undefined);
      const unseen: number[] = [];
      for (const [index, { phone, lid, fallbackName }] of people.entries()) {
        const match = matches[index]!;
        const identity = resolveIdentity({ phone, lid, group: null }, match);
        if (identity.kind === "known") {
          ids[index] = await updateName(ctx, identity.id, match, { name: "", fallback: fallbackName });
        } else if (identity.kind === "new") {
          unseen.push(index);
        }
      }
      const created = await createPeople(
        ctx,
        unseen.map((index) => people[index]!),
      );
      created.forEach((id, n) => (ids[unseen[n]!] = id));
      const resolved: number[] = [];
      for (const [index, { connectionId, phone, lid, fallbackName }] of people.entries()) {
        const observed = { phone, lid, group: null };
        resolved.push(ids[index] ?? (await resolve(ctx, connectionId, observed, { name: "", fallback: fallbackName })));
      }
      return resolved;
    },
    resolvePerson: (ctx, connectionId, { phone, lid }, name, fallback = "") =>
      resolve(ctx, connectionId, { phone, lid, group: null }, { name, fallback }),
    resolveWritten: (ctx, connectionId, { phone, lid }) =>
      resolve(ctx, connectionId, { phone, lid, group: null }, noName, "theirs"),
    async createUnseen(ctx, connectionId, observed, name, fallback = "") {
      const contact = newContact(observed, { name, fallback });
      if (contact.number === null) {
        return null;
      }
      const unseen = { ...contact, ...observed, lockKeys: lockKeysOf(observed) };
      const created = await insertUnseenContact(ctx, connectionId, unseen);
      if (created) {
        ctx.emit(contactCreated(created.id));
      }
      // A LID that has just got a contact of its own: they are one person.
      return created?.isComplete ? created.id : null;
    },
    createReserved(ctx, connectionId, id, observed, name, fallback = "") {
      const contact = newContact(observed, { name, fallback });
      if (contact.number === null) {
        return false;
      }
      insertReservedContact(ctx, connectionId, id, { ...contact, ...observed, lockKeys: lockKeysOf(observed) });
      ctx.emit(contactCreated(id));
      return true;
    },
    resolveGroup: (ctx, connectionId, group) => resolve(ctx, connectionId, { phone: null, lid: null, group }, noName),
    async linkPhoneAndLid(ctx, connectionId, phone, lid) {
      const observed = { phone, lid, group: null };
      const { kind } = resolveIdentity(observed, await matchIdentifiers(ctx, connectionId, observed));
      if (kind === "addIdentifier" || kind === "merge") {
        await resolveLocked(ctx, connectionId, observed, noName, "WhatsApp's");
      }
    },
    async nameGroup(ctx, connectionId, group, subject) {
      await resolve(ctx, connectionId, { phone: null, lid: null, group }, { name: subject, fallback: "" });
    },
  };
}

/** The addresses with the number as its contact has it, unless WhatsApp itself has just spelled it. Pure. */
function spelled(observed: ObservedIdentifiers, match: IdentifierMatch, spelling: Spelling): ObservedIdentifiers {
  const keepsSpelling = spelling === "theirs" && match.byNumber !== null;
  return keepsSpelling ? { ...observed, phone: match.number } : observed;
}

function newContact(observed: ObservedIdentifiers, { name, fallback }: DisplayName) {
  const isGroup = observed.group !== null;
  return {
    name: nameFrom(name) || fallback || observed.phone || (isGroup ? "Grupo" : "Contato"),
    number: observed.phone ?? observed.group,
    isGroup,
  };
}

/** Merges the duplicate into the contact `id`, with its tickets, messages and notes. Cannot be undone. */
async function mergeInto(
  ctx: Ctx,
  duplicateId: number,
  id: number,
  { move, moveErasure }: AutomaticMerge,
): Promise<void> {
  await move(ctx, duplicateId, id);
  await moveIdentifiers(ctx, duplicateId, id);
  await inheritDetails(ctx, duplicateId, id);
  // Where an erasure has deleted the duplicate first, nothing of it has moved, and the other is a person who writes again.
  if (await deleteContact(ctx, duplicateId)) {
    await moveErasure(ctx, duplicateId, id);
  }
  ctx.emit(contactDeleted(duplicateId));
  ctx.emit(contactUpdated(id));
}

/** Saves a new push name, unless a user of the company has named the contact. */
async function updateName(
  ctx: Ctx,
  id: number,
  match: IdentifierMatch,
  { name: pushName, fallback }: DisplayName,
): Promise<number> {
  const isByLid = match.byNumber === null;
  const [name, isNamed] = isByLid ? [match.lidName, match.lidIsNamed] : [match.name, match.isNamed];
  const newName = nameFrom(pushName) || (name === match.number ? fallback : "");
  if (!isNamed && newName !== "" && newName !== name) {
    await saveNumberOrName(ctx, id, { name: newName });
    ctx.emit(contactUpdated(id));
  }
  return id;
}

function nameFrom(text: string): string {
  return truncateText(text.trim(), longestName);
}

/** Keys of the advisory locks. The last eight digits are the same with and without Brazil's ninth digit. */
function lockKeysOf({ phone, lid, group }: ObservedIdentifiers): string[] {
  return [
    ...(phone === null ? [] : [`phone ${phone.slice(-8)}`]),
    ...(lid === null ? [] : [`lid ${lid}`]),
    ...(group === null ? [] : [`group ${group}`]),
  ];
}
