import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { ticketColumns } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";

/** A contact that a connection writes to. */
export interface OutboundChat {
  readonly contactId: number;
  readonly connectionId: number;
}

const LOCK_OUTBOUND: Statement<TicketRow> = {
  name: "tickets_lock_outbound",
  text: `select ${ticketColumns} from unnest($2::int[], $3::int[]) as w(connection_id, contact_id)
    join tickets t on t.connection_id = w.connection_id and t.contact_id = w.contact_id
    where t.company_id = $1 order by t.id for no key update of t`,
};

// Nobody but who waits for the same key sees a new ticket before the commit: it needs no lock. Whole seconds, as WhatsApp's times.
const INSERT_OUTBOUND: Statement<TicketRow> = {
  name: "tickets_insert_outbound",
  text: `insert into tickets as t (company_id, connection_id, contact_id, is_group, status, last_message_at, created_at, updated_at)
    select $1, w.connection_id, c.id, c.is_group, 'closed', date_trunc('second', $4::timestamptz), $4, $4
    from unnest($2::int[], $3::int[]) as w(connection_id, contact_id)
    join contacts c on c.company_id = $1 and c.id = w.contact_id
    order by c.id
    on conflict (connection_id, contact_id) do nothing
    returning ${ticketColumns}`,
};

/** Tickets in the order of the chats; one is missing where the contact was deleted. */
export interface OutboundTickets {
  readonly tickets: readonly (TicketRow | undefined)[];
  /** Those that were made for it, which nobody has heard of: see `deleteUnwrittenTickets`. */
  readonly createdIds: ReadonlySet<number>;
}

/**
 * Tickets for messages of ours that open no conversation, of several chats: those that there are, with their status unchanged,
 * and new closed ones; all locked.
 */
export async function lockOutboundTickets(ctx: Ctx, chats: readonly OutboundChat[]): Promise<OutboundTickets> {
  const tickets = new Map<string, TicketRow>();
  const createdIds = new Set<number>();
  const missing = () => chats.filter((chat) => !tickets.has(keyOf(chat)));
  const lock = (wanted: readonly OutboundChat[]) => ctx.raw(LOCK_OUTBOUND, [ctx.companyId, ...columnsOf(wanted)]);
  const insert = async (wanted: readonly OutboundChat[]) => {
    const created = await ctx.raw(INSERT_OUTBOUND, [ctx.companyId, ...columnsOf(wanted), ctx.now()]);
    created.forEach(({ id }) => createdIds.add(id));
    return created;
  };
  // Another transaction may insert one at the same time: then that one is locked.
  for (const find of [lock, insert, lock]) {
    const wanted = missing();
    const found = wanted.length === 0 ? [] : await find(wanted);
    found.forEach((ticket) => tickets.set(keyOf(ticket), ticket));
  }
  return { tickets: chats.map((chat) => tickets.get(keyOf(chat))), createdIds };
}

const DELETE_UNWRITTEN: Statement<never> = {
  name: "tickets_delete_unwritten",
  text: `delete from tickets t where t.company_id = $1 and t.id = any($2::int[])
    and not exists (select from messages m where m.ticket_id = t.id)`,
};

/** Takes back tickets that this transaction has created and then said nothing on: each would be an empty conversation. */
export async function deleteUnwrittenTickets(ctx: Ctx, createdIds: readonly number[]): Promise<void> {
  if (createdIds.length > 0) {
    await ctx.raw(DELETE_UNWRITTEN, [ctx.companyId, createdIds]);
  }
}

function keyOf({
  connectionId,
  contactId,
}: {
  readonly connectionId: number | null;
  readonly contactId: number;
}): string {
  return `${connectionId}:${contactId}`;
}

function columnsOf(chats: readonly OutboundChat[]): [number[], number[]] {
  return [chats.map(({ connectionId }) => connectionId), chats.map(({ contactId }) => contactId)];
}
