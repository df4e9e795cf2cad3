import { pictureStaleBefore } from "#server/features/contacts/index.ts";
import { chatTicketColumns } from "#server/features/tickets/index.ts";
import type { ChatTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** An address of a chat of the batch, and the push name that came with it; empty: none. */
export interface WantedAddress {
  /** Which chat of the batch. */
  readonly chat: number;
  readonly kind: "phone" | "lid" | "group";
  readonly value: string;
  readonly pushName: string;
}

/** The contact that has an address on the connection. */
export interface ContactByAddress {
  readonly kind: "phone" | "lid" | "group";
  readonly value: string;
  readonly contactId: number;
  readonly name: string;
  /** Did a user write this name? Then a push name does not replace it. */
  readonly isNamed: boolean;
  /** The picture was not checked lately. */
  readonly isPictureStale: boolean;
}

/** Ids that no other contact and ticket will have: what refers to them need not wait until they are stored. */
export interface ReservedIds {
  readonly contactId: number;
  readonly ticketId: number;
}

/** What is known of the addresses of a batch. */
export interface SeenChats {
  readonly contacts: readonly ContactByAddress[];
  /** Addresses that lead nowhere on this connection although a contact of the company has that number, or had before a merge, as `kind:value`. */
  readonly numbersTaken: ReadonlySet<string>;
  /** Where it was asked for and an address leads nowhere. */
  readonly reserved: ReservedIds | undefined;
  /** By contact. Locked; empty unless every contact of the batch is known by name, and each chat's addresses lead to one. */
  readonly tickets: ReadonlyMap<number, ChatTicket>;
}

type SeenAddress = Pick<ContactByAddress, "kind" | "value" | "name" | "isNamed" | "isPictureStale"> & {
  readonly seenContactId: number | null;
  readonly isNumberTaken: boolean;
  readonly reservedContactId: number | null;
  readonly reservedTicketId: number | null;
} & { readonly [Column in keyof ChatTicket]: ChatTicket[Column] | null };

// Contacts before tickets: where a contact has yet to be created, renamed or merged, no ticket is locked here. The keys of the
// numbers are computed apart, because under row-level security a function that is not leakproof never reaches an index.
const SEEN_CHATS: Statement<SeenAddress> = {
  name: "inbound_seen_chats",
  text: `
    with wanted as materialized (
      select kind, value, push_name, chat, case when kind <> 'lid' then phone_key(value) end as number_key
      from unnest($3::text[], $4::text[], $5::text[], $7::int[]) as w(kind, value, push_name, chat)),
    seen as materialized (
      select w.chat, w.kind, w.value, c.id, c.name, c.is_named, coalesce(c.picture_checked_at < $6, true) as is_picture_stale,
        c.id is not null and (w.kind = 'group' or w.push_name = '' or c.is_named or c.name = w.push_name) as is_known,
        case when c.id is null
          then exists (select from contacts n where n.company_id = $1 and n.number_key = w.number_key)
            or exists (select from contact_aliases m where m.company_id = $1 and m.number_key = w.number_key)
          else false end as is_number_taken,
        case when $8 and c.id is null then nextval('contacts_id_seq')::int end as reserved_contact_id,
        case when $8 and c.id is null then nextval('tickets_id_seq')::int end as reserved_ticket_id
      from wanted w
      left join contact_identifiers i on i.company_id = $1 and i.connection_id = $2 and i.kind = w.kind and i.value = w.value
      left join contacts c on c.id = i.contact_id),
    locked as materialized (
      select ${chatTicketColumns} from tickets t left join episodes e on e.id = t.episode_id
      where t.company_id = $1 and t.connection_id = $2 and t.contact_id in (select id from seen)
        and (select bool_and(is_known) from seen) and not exists (select from seen group by chat having count(distinct id) > 1)
      order by t.id for no key update of t)
    select s.kind, s.value, s.id as "seenContactId", s.name, s.is_named as "isNamed", s.is_picture_stale as "isPictureStale",
      s.is_number_taken as "isNumberTaken", s.reserved_contact_id as "reservedContactId",
      s.reserved_ticket_id as "reservedTicketId", locked.*
    from seen s left join locked on locked."contactId" = s.id`,
};

/**
 * The contacts that have these addresses on the connection, and, where nothing of them is to be written, their tickets, locked
 * in the order of their ids: batches of one chat run one after another. One statement for a batch. `reserves`: ids for who is unseen.
 */
export async function findSeenChats(
  ctx: Ctx,
  connectionId: number,
  wanted: readonly WantedAddress[],
  { reserves }: { readonly reserves: boolean },
): Promise<SeenChats> {
  const rows = await ctx.raw(SEEN_CHATS, [
    ctx.companyId,
    connectionId,
    wanted.map(({ kind }) => kind),
    wanted.map(({ value }) => value),
    wanted.map(({ pushName }) => pushName),
    pictureStaleBefore(ctx.now()),
    wanted.map(({ chat }) => chat),
    reserves,
  ]);
  const contacts: ContactByAddress[] = [];
  const numbersTaken = new Set<string>();
  const tickets = new Map<number, ChatTicket>();
  let reserved: ReservedIds | undefined;
  for (const row of rows) {
    const {
      kind,
      value,
      seenContactId,
      name,
      isNamed,
      isPictureStale,
      isNumberTaken,
      reservedContactId,
      reservedTicketId,
      ...ticket
    } = row;
    if (reservedContactId !== null && reservedTicketId !== null) {
      reserved ??= { contactId: reservedContactId, ticketId: reservedTicketId };
    }
    if (seenContactId !== null) {
      contacts.push({ kind, value, contactId: seenContactId, name, isNamed, isPictureStale });
    }
    if (isNumberTaken) {
      numbersTaken.add(`${kind}:${value}`);
    }
    if (isTicket(ticket)) {
      tickets.set(ticket.contactId, ticket);
    }
  }
  return { contacts, numbersTaken, reserved, tickets };
}

/** The columns of a contact without a locked ticket are null. */
function isTicket(columns: { readonly id: number | null }): columns is ChatTicket {
  return columns.id !== null;
}
