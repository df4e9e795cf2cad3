import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** Somebody, or a group, as a line has just seen them. `n` is the place in the batch. */
export interface Sighting {
  readonly n: number;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly group: string | null;
}

export interface Match {
  readonly n: number;
  /** The contact that has the number, with or without the ninth digit; for a group the one that has its id. */
  readonly byNumber: number | null;
  /** Its number as it is kept now. */
  readonly number: string | null;
  readonly name: string | null;
  readonly isNamed: boolean | null;
  readonly isBlocked: boolean | null;
  /** The contact that the LID led to on this connection. */
  readonly byLid: number | null;
  readonly lidNumber: string | null;
  readonly lidName: string | null;
  readonly lidIsNamed: boolean | null;
  readonly lidIsBlocked: boolean | null;
  /** Groups are written to by an identifier of their own. */
  readonly hasGroup: boolean;
}

const MATCH: Statement<Match> = {
  name: "contacts_match",
  text: `select s.n, p.id as "byNumber", p.number, p.name, p.is_named as "isNamed", p.is_blocked as "isBlocked",
      l.id as "byLid", l.number as "lidNumber", l.name as "lidName", l.is_named as "lidIsNamed",
      l.is_blocked as "lidIsBlocked", g.value is not null as "hasGroup"
    from jsonb_to_recordset($3::jsonb) as s(n int, phone text, lid text, "group" text)
    left join contacts p on p.company_id = $1 and p.number_key = phone_key(coalesce(s.phone, s."group"))
    left join contact_identifiers i on i.connection_id = $2 and i.kind = 'lid' and i.value = s.lid
    left join contacts l on l.id = i.contact_id
    left join contact_identifiers g on g.connection_id = $2 and g.kind = 'group' and g.value = s."group"
    order by s.n`,
};

/** Who they are, as far as is known: one statement for a whole batch. */
export function matchPeople(ctx: Ctx, connectionId: number, people: readonly Sighting[]): Promise<Match[]> {
  return ctx.raw(MATCH, [ctx.companyId, connectionId, JSON.stringify(people)]);
}

const LOCK: Statement<unknown> = {
  name: "contacts_lock_identities",
  text: `select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended($1::text || ' ' || identity, 0) as k from unnest($2::text[]) as identity
      order by 1 offset 0) keys`,
};

/** Whoever makes or joins contacts under these identities waits here, until the transaction ends. */
export async function lockIdentities(ctx: Ctx, identities: readonly string[]): Promise<void> {
  await ctx.raw(LOCK, [String(ctx.companyId), identities]);
}

const INSERT: Statement<{ id: number }> = {
  name: "contacts_insert_person",
  text: `with made as (
      insert into contacts (company_id, name, number, is_group, created_at, updated_at)
      values ($1, $3, $4, $5, $6, $6) returning id),
    known as (
      insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
      select $1, $2, $7, $8, id from made where $8::text is not null)
    select id from made`,
};

export interface NewPerson {
  readonly name: string;
  readonly number: string | null;
  readonly isGroup: boolean;
  readonly identifier: { readonly kind: "lid" | "group"; readonly value: string } | null;
}

/** A new contact with the identifier under which the line knows it, in one statement. */
export async function insertPerson(ctx: Ctx, connectionId: number, person: NewPerson): Promise<number> {
  const { name, number, isGroup, identifier } = person;
  const values = [name, number, isGroup, ctx.now(), identifier?.kind ?? "lid", identifier?.value ?? null];
  const [made] = await ctx.raw(INSERT, [ctx.companyId, connectionId, ...values]);
  if (!made) {
    throw new Error("The contact was not made");
  }
  return made.id;
}

const POINT: Statement<unknown> = {
  name: "contacts_point_identifier",
  text: `insert into contact_identifiers (company_id, connection_id, kind, value, contact_id) values ($1, $2, $3, $4, $5)
    on conflict (connection_id, kind, value) do update set contact_id = excluded.contact_id`,
};

/** This identifier leads to this contact from now on. */
export async function pointIdentifier(
  ctx: Ctx,
  connectionId: number,
  kind: "lid" | "group",
  value: string,
  contactId: number,
): Promise<void> {
  await ctx.raw(POINT, [ctx.companyId, connectionId, kind, value, contactId]);
}

const SAVE: Statement<unknown> = {
  name: "contacts_save_person",
  text: `update contacts set number = coalesce($3, number), name = coalesce($4, name), version = version + 1, updated_at = $5
    where company_id = $1 and id = $2`,
};

/** Null leaves a field as it is. */
export async function savePerson(
  ctx: Ctx,
  id: number,
  change: { readonly number?: string | null; readonly name?: string | null },
): Promise<void> {
  await ctx.raw(SAVE, [ctx.companyId, id, change.number ?? null, change.name ?? null, ctx.now()]);
}

const MOVE_IDENTIFIERS: Statement<unknown> = {
  name: "contacts_move_identifiers",
  text: `update contact_identifiers set contact_id = $3 where company_id = $1 and contact_id = $2`,
};

/** All lines that knew one contact know it as the other. */
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

/** What people wrote about the one is kept with the other. */
export async function inheritDetails(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(INHERIT, [ctx.companyId, from, to, ctx.now()]);
}
