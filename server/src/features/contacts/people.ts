import type { Ctx } from "#server/platform/ctx.ts";
import type { Address, PersonRef } from "#server/whatsapp/port.ts";
import { contactCreated, contactDeleted, contactUpdated } from "./contacts.events.ts";
import { deleteContact } from "./contacts.queries.ts";
import { identify } from "./people.identity.ts";
import {
  inheritDetails,
  insertPerson,
  lockIdentities,
  matchPeople,
  moveIdentifiers,
  pointIdentifier,
  savePerson,
} from "./people.queries.ts";
import type { Match, Sighting } from "./people.queries.ts";

/** The other side of a chat, as a line shows it. */
export interface Seen {
  readonly chat: Pick<Address, "kind" | "value">;
  readonly person: PersonRef;
  /** What they call themselves (of a group, its subject); empty where it is not theirs, as on our own messages. */
  readonly pushName: string;
}

export interface ContactRef {
  readonly id: number;
  readonly isGroup: boolean;
  readonly isBlocked: boolean;
  readonly isNew: boolean;
}

/**
 * Moves what belongs to one contact to another, in the same transaction: tickets with their messages, notes,
 * schedules. Given by the features that own them, because contacts lie below.
 */
export type MoveBelongings = (ctx: Ctx, from: number, to: number) => Promise<void>;

/**
 * The contacts of a batch of sightings, in its order; new people become contacts. One statement where all are known.
 * Where a number and a LID turn out to be one person, their two contacts become one, with all that belongs to them.
 */
export async function findOrCreateContacts(
  ctx: Ctx,
  connectionId: number,
  batch: readonly Seen[],
  moveBelongings: MoveBelongings,
): Promise<ContactRef[]> {
  const people = batch.map((seen, n) => sightingOf(seen, n));
  const matches = await matchPeople(ctx, connectionId, people);
  const refs: ContactRef[] = [];
  for (const [n, seen] of batch.entries()) {
    const [sighting, match] = [people[n], matches[n]];
    if (!sighting || !match) {
      throw new Error("A sighting without its match");
    }
    refs.push(
      identify(sighting, match).kind === "known"
        ? await keepName(ctx, refOf(match), match, seen)
        : await settle(ctx, connectionId, seen, sighting, moveBelongings),
    );
  }
  return refs;
}

export async function findOrCreateByPerson(
  ctx: Ctx,
  connectionId: number,
  seen: Seen,
  moveBelongings: MoveBelongings,
): Promise<ContactRef> {
  const [ref] = await findOrCreateContacts(ctx, connectionId, [seen], moveBelongings);
  if (!ref) {
    throw new Error("A sighting without its contact");
  }
  return ref;
}

/** A phone number and a LID turned out to be one person, without a message. Unknown people stay unknown. */
export async function joinIdentity(
  ctx: Ctx,
  connectionId: number,
  { phone, lid }: { readonly phone: string; readonly lid: string },
  moveBelongings: MoveBelongings,
): Promise<void> {
  const sighting = { n: 0, phone, lid, group: null };
  const [match] = await matchPeople(ctx, connectionId, [sighting]);
  if (match && !["known", "new"].includes(identify(sighting, match).kind)) {
    const chat = { kind: "phone", value: phone } as const;
    await settle(ctx, connectionId, { chat, person: { phone, lid }, pushName: "" }, sighting, moveBelongings);
  }
}

/** Something about this person is new: one at a time looks again, and writes it down. */
async function settle(
  ctx: Ctx,
  connectionId: number,
  seen: Seen,
  sighting: Sighting,
  moveBelongings: MoveBelongings,
): Promise<ContactRef> {
  await lockIdentities(ctx, identitiesOf(sighting));
  const [match] = await matchPeople(ctx, connectionId, [sighting]);
  if (!match) {
    throw new Error("A sighting without its match");
  }

  const { phone, lid, group } = sighting;
  const identity = identify(sighting, match);
  const identifier =
    group === null
      ? lid === null
        ? null
        : ({ kind: "lid", value: lid } as const)
      : ({ kind: "group", value: group } as const);
  const remember = (id: number) =>
    identifier && pointIdentifier(ctx, connectionId, identifier.kind, identifier.value, id);

  switch (identity.kind) {
    case "known":
      return keepName(ctx, refOf(match), match, seen);
    case "new": {
      const name = seen.pushName.trim() || phone || (group === null ? "Contato" : "Grupo");
      const isGroup = group !== null;
      const id = await insertPerson(ctx, connectionId, {
        name: name.slice(0, 200),
        number: phone ?? group,
        isGroup,
        identifier,
      });
      ctx.emit(contactCreated(id));
      return { id, isGroup, isBlocked: false, isNew: true };
    }
    case "link":
      await remember(identity.id);
      break;
    case "reveal":
    case "spell":
      await savePerson(ctx, identity.id, { number: phone });
      ctx.emit(contactUpdated(identity.id));
      break;
    case "join":
      await join(ctx, identity.twin, identity.id, moveBelongings);
      break;
  }
  return keepName(ctx, { ...refOf(match), id: identity.id }, match, seen);
}

/** The twin goes into the contact that has the number. */
async function join(ctx: Ctx, twin: number, id: number, moveBelongings: MoveBelongings): Promise<void> {
  await moveBelongings(ctx, twin, id);
  await moveIdentifiers(ctx, twin, id);
  await inheritDetails(ctx, twin, id);
  await deleteContact(ctx, twin);
  ctx.emit(contactDeleted(twin));
  ctx.emit(contactUpdated(id));
}

/** A contact is called as they call themselves, until somebody of the company writes another name. */
async function keepName(ctx: Ctx, ref: ContactRef, match: Match, { pushName }: Seen): Promise<ContactRef> {
  const [name, isNamed] = match.byNumber === null ? [match.lidName, match.lidIsNamed] : [match.name, match.isNamed];
  const called = pushName.trim().slice(0, 200);
  if (!isNamed && called !== "" && called !== name) {
    await savePerson(ctx, ref.id, { name: called });
    ctx.emit(contactUpdated(ref.id));
  }
  return ref;
}

function refOf({ byNumber, byLid, isBlocked, lidIsBlocked, hasGroup }: Match): ContactRef {
  return {
    id: byNumber ?? byLid ?? 0,
    isGroup: hasGroup,
    isBlocked: (byNumber === null ? lidIsBlocked : isBlocked) ?? false,
    isNew: false,
  };
}

function sightingOf({ chat, person }: Seen, n: number): Sighting {
  return chat.kind === "group"
    ? { n, phone: null, lid: null, group: chat.value }
    : {
        n,
        phone: person.phone ?? (chat.kind === "phone" ? chat.value : null),
        lid: person.lid ?? (chat.kind === "lid" ? chat.value : null),
        group: null,
      };
}

/** The last eight digits are the same with and without the ninth. */
function identitiesOf({ phone, lid, group }: Sighting): string[] {
  return [phone && `phone ${phone.slice(-8)}`, lid && `lid ${lid}`, group && `group ${group}`].filter(
    (one) => one !== null,
  );
}
