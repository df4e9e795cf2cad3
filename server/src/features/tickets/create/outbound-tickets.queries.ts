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

/**
 * Tickets for messages of ours that open no conversation, of several chats: those that there are, with their status unchanged,
 * and new closed ones; all locked. One is missing where the contact was deleted.
 */
export async function lockOutboundTickets(
  ctx: Ctx,
  chats: readonly OutboundChat[],
): Promise<(TicketRow | undefined)[]> {
  const tickets = new Map<string, TicketRow>();
  const missing = () => chats.filter((chat) => !tickets.has(keyOf(chat)));
  const lock = (wanted: readonly OutboundChat[]) => ctx.raw(LOCK_OUTBOUND, [ctx.companyId, ...columnsOf(wanted)]);
  const insert = (wanted: readonly OutboundChat[]) =>
    ctx.raw(INSERT_OUTBOUND, [ctx.companyId, ...columnsOf(wanted), ctx.now()]);
  // Another transaction may insert one at the same time: then that one is locked.
  for (const find of [lock, insert, lock]) {
    const wanted = missing();
    const found = wanted.length === 0 ? [] : await find(wanted);
    found.forEach((ticket) => tickets.set(keyOf(ticket), ticket));
  }
  return chats.map((chat) => tickets.get(keyOf(chat)));
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
