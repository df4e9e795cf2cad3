import type { Ctx } from "#server/platform/ctx.ts";
import { beginningOf } from "#server/platform/text.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { contactCreated, contactDeleted, contactUpdated } from "./contacts.events.ts";
import { deleteContact } from "./contacts.queries.ts";
import { identify } from "./people.identity.ts";
import {
  inheritDetails,
  insertPerson,
  lockIdentities,
  matchPerson,
  moveIdentifiers,
  rememberIdentifiers,
  savePerson,
} from "./people.queries.ts";
import type { Match, Sighting } from "./people.queries.ts";

/**
 * Moves what belongs to one contact to another, in the same transaction: tickets with their messages, notes.
 * Given by the features that own them, because contacts lie below.
 */
export type MoveBelongings = (ctx: Ctx, from: number, to: number) => Promise<void>;

/** What belongs to a contact, and can be taken back for a while after it was moved by a person's word. */
export interface Belongings<Memory = unknown> {
  readonly move: MoveBelongings;
  /** Moves, and returns what `giveBack` needs: JSON. */
  moveWithMemory(ctx: Ctx, from: number, to: number): Promise<Memory>;
  giveBack(ctx: Ctx, to: number, memory: Memory): Promise<void>;
  /** A contact was blocked, or is no more: who is blocked does not wait. */
  followBlock(ctx: Ctx, contactId: number, isBlocked: boolean): Promise<void>;
}

/** The book of contacts as lines write it: people and groups by the addresses under which they are seen. */
export interface ContactBook {
  /**
   * Finds or makes the contact behind a person's addresses, joins them, and takes over a new push name. `unnamed`: what they
   * are called while nothing but their number is known; default the number.
   */
  ofPerson(ctx: Ctx, connectionId: number, person: PersonRef, pushName: string, unnamed?: string): Promise<number>;
  ofGroup(ctx: Ctx, connectionId: number, groupId: string): Promise<number>;
  /** A phone number and a LID are one person: their contacts become one (W-10). Unknown people stay unknown. */
  join(ctx: Ctx, connectionId: number, phone: string, lid: string): Promise<void>;
  nameGroup(ctx: Ctx, connectionId: number, groupId: string, subject: string): Promise<void>;
}

const longestName = 200;

/** How somebody calls themselves, and what to call them while nobody knows. */
interface Called {
  readonly name: string;
  readonly unnamed: string;
}

const nameless: Called = { name: "", unnamed: "" };

/** Safe from any number of lines and people at once: whatever is new is written by one at a time. */
export function createContactBook(moveBelongings: MoveBelongings): ContactBook {
  async function find(ctx: Ctx, connectionId: number, seen: Sighting, called: Called): Promise<number> {
    const match = await matchPerson(ctx, connectionId, seen);
    const identity = identify(seen, match);
    return identity.kind === "known"
      ? keepName(ctx, identity.id, match, called)
      : settle(ctx, connectionId, seen, called);
  }

  /** Something is new: one at a time looks again, and writes it down. */
  async function settle(ctx: Ctx, connectionId: number, seen: Sighting, called: Called): Promise<number> {
    await lockIdentities(ctx, identitiesOf(seen));
    const match = await matchPerson(ctx, connectionId, seen);
    const identity = identify(seen, match);

    if (identity.kind === "new") {
      const isGroup = seen.group !== null;
      const name = nameFrom(called.name) || called.unnamed || seen.phone || (isGroup ? "Grupo" : "Contato");
      const id = await insertPerson(ctx, { name, number: seen.phone ?? seen.group, isGroup });
      await rememberIdentifiers(ctx, connectionId, id, seen);
      ctx.emit(contactCreated(id));
      return id;
    }
    if (identity.kind === "join") {
      await takeIn(ctx, identity.twin, identity.id, moveBelongings);
    }
    if (identity.kind !== "known") {
      await rememberIdentifiers(ctx, connectionId, identity.id, seen);
    }
    // WhatsApp's own spelling of the number, or the number that a LID's contact did not have yet.
    if (seen.phone !== null && seen.phone !== match.number) {
      await savePerson(ctx, identity.id, { number: seen.phone });
      ctx.emit(contactUpdated(identity.id));
    }
    return keepName(ctx, identity.id, match, called);
  }

  return {
    ofPerson: (ctx, connectionId, { phone, lid }, name, unnamed = "") =>
      find(ctx, connectionId, { phone, lid, group: null }, { name, unnamed }),
    ofGroup: (ctx, connectionId, group) => find(ctx, connectionId, { phone: null, lid: null, group }, nameless),
    async join(ctx, connectionId, phone, lid) {
      const seen = { phone, lid, group: null };
      const { kind } = identify(seen, await matchPerson(ctx, connectionId, seen));
      if (kind === "note" || kind === "join") {
        await settle(ctx, connectionId, seen, nameless);
      }
    },
    async nameGroup(ctx, connectionId, group, subject) {
      await find(ctx, connectionId, { phone: null, lid: null, group }, { name: subject, unnamed: "" });
    },
  };
}

/** One contact goes into the other, with all that belongs to it. */
async function takeIn(ctx: Ctx, twin: number, id: number, moveBelongings: MoveBelongings): Promise<void> {
  await moveBelongings(ctx, twin, id);
  await moveIdentifiers(ctx, twin, id);
  await inheritDetails(ctx, twin, id);
  await deleteContact(ctx, twin);
  ctx.emit(contactDeleted(twin));
  ctx.emit(contactUpdated(id));
}

/** A contact is called as they call themselves, until somebody of the company writes another name. */
async function keepName(ctx: Ctx, id: number, match: Match, { name: calledName, unnamed }: Called): Promise<number> {
  const isByLid = match.byNumber === null;
  const [name, isNamed] = isByLid ? [match.lidName, match.lidIsNamed] : [match.name, match.isNamed];
  const called = nameFrom(calledName) || (name === match.number ? unnamed : "");
  if (!isNamed && called !== "" && called !== name) {
    await savePerson(ctx, id, { name: called });
    ctx.emit(contactUpdated(id));
  }
  return id;
}

function nameFrom(text: string): string {
  return beginningOf(text.trim(), longestName);
}

/** What to wait for. The last eight digits are the same with and without the ninth. */
function identitiesOf({ phone, lid, group }: Sighting): string[] {
  return [
    ...(phone === null ? [] : [`phone ${phone.slice(-8)}`]),
    ...(lid === null ? [] : [`lid ${lid}`]),
    ...(group === null ? [] : [`group ${group}`]),
  ];
}
