import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** The addresses under which a line has just seen a person or a group. */
export interface ObservedIdentifiers {
  readonly phone: string | null;
  readonly lid: string | null;
  readonly group: string | null;
}

/** A contact as its line saw it first. */
interface NewContact {
  readonly name: string;
  readonly number: string | null;
  readonly isGroup: boolean;
}

/** The contacts that these addresses lead to so far. The number of a merged contact leads to the contact that stayed. */
export interface IdentifierMatch {
  /** The contact with this number, with or without Brazil's ninth digit; for a group the one with its id. */
  readonly byNumber: number | null;
  /** That number, as stored now. */
  readonly number: string | null;
  readonly name: string | null;
  readonly isNamed: boolean | null;
  /** By the identifiers of this connection. */
  readonly byPhone: number | null;
  readonly byGroup: number | null;
  readonly byLid: number | null;
  readonly lidNumber: string | null;
  readonly lidName: string | null;
  readonly lidIsNamed: boolean | null;
}

const matchColumns = `coalesce(p.id, a.id) as "byNumber", coalesce(p.number, a.alias) as number,
      coalesce(p.name, a.name) as name, coalesce(p.is_named, a.is_named) as "isNamed",
      ip.contact_id as "byPhone", ig.contact_id as "byGroup",
      l.id as "byLid", l.number as "lidNumber", l.name as "lidName", l.is_named as "lidIsNamed"`;

/**
 * Joins of the addresses `s` on a connection. Only a number that no contact has is looked for among those of merged ones; merges of the
 * release before, which come in its archives, are known by the line's identifiers alone.
 */
const matchJoins = (connectionId: string, numberKey: string) => `
    left join contact_identifiers ip on ip.connection_id = ${connectionId} and ip.kind = 'phone' and ip.value = s.phone
    left join contact_aliases m on m.company_id = $1 and m.number_key = ${numberKey}
    left join lateral (select c.id, c.name, c.is_named, s.phone as alias from contacts c
      where c.id = case when m.contact_id is not null then m.contact_id when ip.is_alias then ip.contact_id end) a on p.id is null
    left join contact_identifiers ig on ig.connection_id = ${connectionId} and ig.kind = 'group' and ig.value = s."group"
    left join contact_identifiers il on il.connection_id = ${connectionId} and il.kind = 'lid' and il.value = s.lid
    left join contacts l on l.id = il.contact_id`;

// The key is computed in a subquery: under row-level security a condition with a function that is not leakproof is
// evaluated for every row of the company instead of being looked up in the index.
const MATCH: Statement<IdentifierMatch> = {
  name: "contacts_match",
  text: `select ${matchColumns}
    from (select $3::text as phone, $4::text as lid, $5::text as "group") s
    left join contacts p on p.company_id = $1 and p.number_key = (select phone_key(coalesce($3::text, $5::text)))
    ${matchJoins("$2", "(select phone_key($3::text))")}`,
};

export async function matchIdentifiers(
  ctx: Ctx,
  connectionId: number,
  { phone, lid, group }: ObservedIdentifiers,
): Promise<IdentifierMatch> {
  const [match] = await ctx.raw(MATCH, [ctx.companyId, connectionId, phone, lid, group]);
  if (!match) {
    throw new Error("contacts_match returned no row");
  }
  return match;
}

/** The addresses of a person on a line. */
export interface PersonOnLine {
  readonly connectionId: number;
  readonly phone: string | null;
  readonly lid: string | null;
}

const MATCH_PEOPLE: Statement<IdentifierMatch> = {
  name: "contacts_match_people",
  text: `with s as materialized (
      select at, connection_id, phone, lid, null::text as "group", phone_key(phone) as number_key
      from unnest($2::int[], $3::text[], $4::text[]) with ordinality as v(connection_id, phone, lid, at))
    select ${matchColumns} from s
    left join contacts p on p.company_id = $1 and p.number_key = s.number_key
    ${matchJoins("s.connection_id", "s.number_key")}
    order by s.at`,
};

/** The same, of several people, in their order. */
export async function matchPeople(ctx: Ctx, people: readonly PersonOnLine[]): Promise<IdentifierMatch[]> {
  const addresses = [people.map(({ phone }) => phone), people.map(({ lid }) => lid)];
  return ctx.raw(MATCH_PEOPLE, [ctx.companyId, people.map(({ connectionId }) => connectionId), ...addresses]);
}

const LOCK: Statement<unknown> = {
  name: "contacts_lock_identifiers",
  text: `select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended($1::text || ' ' || identifier, 0) as k from unnest($2::text[]) as identifier
      order by 1 offset 0) keys`,
};

/** Takes advisory locks on these identifiers until the transaction ends: only one creates or merges their contacts. */
export async function lockIdentifiers(ctx: Ctx, identifiers: readonly string[]): Promise<void> {
  await ctx.raw(LOCK, [String(ctx.companyId), identifiers]);
}

const INSERT: Statement<{ id: number }> = {
  name: "contacts_insert_observed",
  text: `insert into contacts (company_id, name, number, is_group, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $5) returning id`,
};

export async function insertObservedContact(ctx: Ctx, observed: NewContact): Promise<number> {
  const [inserted] = await ctx.raw(INSERT, [
    ctx.companyId,
    observed.name,
    observed.number,
    observed.isGroup,
    ctx.now(),
  ]);
  if (!inserted) {
    throw new Error("The contact was not inserted");
  }
  return inserted.id;
}

// Who creates or merges a contact of these addresses has the locks of them. This one need not look again after it got them: a
// number that somebody took meanwhile conflicts.
const createdWithAddresses = (id: string) => `
    with keys as materialized (
      select distinct hashtextextended($1::int::text || ' ' || identifier, 0) as k from unnest($9::text[]) as identifier order by 1),
    locks as materialized (select count(pg_advisory_xact_lock(k)) as taken from keys),
    created as (
      insert into contacts (id, company_id, name, number, is_group, picture_checked_at, created_at, updated_at)
      overriding system value
      select ${id}, $1, $3, $4, $5, $10, $10, $10 from locks
      on conflict (company_id, number_key) do nothing
      returning id),
    identifiers as (
      insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
      select $1, $2, seen.kind, seen.value, created.id
      from created, (values ('phone', $6::text), ('lid', $7::text), ('group', $8::text)) as seen(kind, value)
      where seen.value is not null
      on conflict (connection_id, kind, value) do nothing
      returning 1)`;

const IS_COMPLETE = "(select count(*) from identifiers) = num_nonnulls($6::text, $7::text, $8::text)";

const INSERT_UNSEEN: Statement<{ id: number; isComplete: boolean }> = {
  name: "contacts_insert_unseen",
  text: `${createdWithAddresses("nextval('contacts_id_seq')")}
    select id, ${IS_COMPLETE} as "isComplete" from created`,
};

// The transaction that came second is tried again, and sees who was first.
const INSERT_RESERVED: Statement<never> = {
  name: "contacts_insert_reserved",
  text: `${createdWithAddresses("$11::int")}
    select try_again_unless(${IS_COMPLETE})`,
};

/** A contact whose addresses lead to nobody so far, and the keys of their locks. */
export interface UnseenContact extends ObservedIdentifiers, NewContact {
  readonly lockKeys: readonly string[];
}

/**
 * Creates a contact with its addresses, whose picture counts as fetched now. Undefined where the number is taken; incomplete
 * where another contact has one of the addresses meanwhile.
 */
export async function insertUnseenContact(
  ctx: Ctx,
  connectionId: number,
  contact: UnseenContact,
): Promise<{ readonly id: number; readonly isComplete: boolean } | undefined> {
  const [created] = await ctx.raw(INSERT_UNSEEN, unseenValues(ctx, connectionId, contact));
  return created;
}

/** The same under an id that nobody else has, left in flight: where somebody else was first the transaction is tried again. */
export function insertReservedContact(ctx: Ctx, connectionId: number, id: number, contact: UnseenContact): void {
  ctx.leave(INSERT_RESERVED, [...unseenValues(ctx, connectionId, contact), id]);
}

function unseenValues(
  ctx: Ctx,
  connectionId: number,
  { name, number, isGroup, phone, lid, group, lockKeys }: UnseenContact,
): unknown[] {
  return [ctx.companyId, connectionId, name, number, isGroup, phone, lid, group, lockKeys, ctx.now()];
}

const INSERT_UNSEEN_PEOPLE: Statement<{ id: number; at: number; isComplete: boolean }> = {
  name: "contacts_insert_unseen_people",
  text: `
    with wanted as materialized (
      select * from unnest($2::int[], $3::text[], $4::text[], $5::text[]) with ordinality
        as v(connection_id, name, phone, lid, at)),
    keys as materialized (
      select distinct hashtextextended($1::int::text || ' ' || identifier, 0) as k from unnest($6::text[]) as identifier order by 1),
    locks as materialized (select count(pg_advisory_xact_lock(k)) as taken from keys),
    created as (
      insert into contacts (company_id, name, number, is_group, created_at, updated_at)
      select $1, w.name, w.phone, false, $7, $7 from locks, wanted w order by w.phone
      on conflict (company_id, number_key) do nothing
      returning id, number),
    seen as materialized (
      select w.at, created.id, w.connection_id, a.kind, a.value
      from created join wanted w on w.phone = created.number
      cross join lateral (values ('phone', w.phone), ('lid', w.lid)) as a(kind, value)
      where a.value is not null),
    identifiers as (
      insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
      select $1, connection_id, kind, value, id from seen
      on conflict (connection_id, kind, value) do nothing
      returning contact_id)
    select seen.id, seen.at::int - 1 as at,
      count(*) = (select count(*) from identifiers i where i.contact_id = seen.id) as "isComplete"
    from seen group by seen.id, seen.at`,
};

/**
 * Creates people with their addresses. `at`: which of them. One is missing where the number is taken, and incomplete where
 * another contact has one of the addresses meanwhile.
 */
export async function insertUnseenPeople(
  ctx: Ctx,
  people: readonly (PersonOnLine & { readonly name: string })[],
  lockKeys: readonly string[],
): Promise<{ readonly id: number; readonly at: number; readonly isComplete: boolean }[]> {
  return ctx.raw(INSERT_UNSEEN_PEOPLE, [
    ctx.companyId,
    people.map(({ connectionId }) => connectionId),
    people.map(({ name }) => name),
    people.map(({ phone }) => phone),
    people.map(({ lid }) => lid),
    lockKeys,
    ctx.now(),
  ]);
}

// The key is computed in a subquery, as in MATCH.
const SAVE_IDENTIFIERS: Statement<unknown> = {
  name: "contacts_save_identifiers",
  text: `with merged as materialized (
      select exists (select from contact_aliases m where m.company_id = $1 and m.contact_id = $3
        and m.number_key = (select phone_key($4::text))) as has_number),
    old as (
      delete from contact_identifiers
      where connection_id = $2 and contact_id = $3 and kind = 'phone' and not is_alias and $4::text is not null and value <> $4
        and not (select has_number from merged))
    insert into contact_identifiers (company_id, connection_id, kind, value, contact_id, is_alias)
    select $1, $2, kind, value, $3, kind = 'phone' and (select has_number from merged)
    from (values ('phone', $4::text), ('lid', $5::text), ('group', $6::text)) as seen(kind, value)
    where value is not null
    on conflict (connection_id, kind, value) do update set contact_id = excluded.contact_id,
      is_alias = excluded.is_alias or (contact_identifiers.is_alias and contact_identifiers.contact_id = excluded.contact_id)`,
};

/**
 * Makes these addresses lead to this contact. A new phone number replaces the one before, unless it is that of a contact that was
 * merged into this one.
 */
export async function saveIdentifiers(
  ctx: Ctx,
  connectionId: number,
  contactId: number,
  { phone, lid, group }: ObservedIdentifiers,
): Promise<void> {
  await ctx.raw(SAVE_IDENTIFIERS, [ctx.companyId, connectionId, contactId, phone, lid, group]);
}

const SAVE: Statement<unknown> = {
  name: "contacts_save_number_or_name",
  text: `update contacts set number = coalesce($3, number), name = coalesce($4, name), version = version + 1, updated_at = $5
    where company_id = $1 and id = $2`,
};

/** Null leaves a field as it is. */
export async function saveNumberOrName(
  ctx: Ctx,
  id: number,
  change: { readonly number?: string | null; readonly name?: string | null },
): Promise<void> {
  await ctx.raw(SAVE, [ctx.companyId, id, change.number ?? null, change.name ?? null, ctx.now()]);
}

const MOVE_IDENTIFIERS: Statement<unknown> = {
  name: "contacts_move_identifiers",
  text: `with merged as (update contact_aliases set contact_id = $3 where company_id = $1 and contact_id = $2)
    update contact_identifiers set contact_id = $3 where company_id = $1 and contact_id = $2`,
};

/** Makes the addresses of one contact lead to the other, on every line, with the numbers of contacts that were merged into it. */
export async function moveIdentifiers(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(MOVE_IDENTIFIERS, [ctx.companyId, from, to]);
}

const INHERIT: Statement<unknown> = {
  name: "contacts_inherit",
  text: `update contacts k set
      name = case when d.is_named and not k.is_named then d.name else k.name end,
      is_named = k.is_named or d.is_named,
      email = case when k.email = '' then d.email else k.email end,
      is_blocked = k.is_blocked or d.is_blocked,
      opted_out_at = coalesce(k.opted_out_at, d.opted_out_at),
      picture_path = coalesce(k.picture_path, d.picture_path),
      extra_info = k.extra_info || d.extra_info,
      version = k.version + 1, updated_at = $4
    from contacts d where k.company_id = $1 and k.id = $3 and d.company_id = $1 and d.id = $2`,
};

/** Keeps what users wrote about the one contact with the other. */
export async function inheritDetails(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(INHERIT, [ctx.companyId, from, to, ctx.now()]);
}
