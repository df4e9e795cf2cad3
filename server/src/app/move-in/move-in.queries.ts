import type { MoveTx } from "#server/platform/db/index.ts";

/** What is here already, as far as a move has to know it. */

export async function findPlanNames(tx: MoveTx): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: number; name: string }>("select id, name from plans");
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]));
}

/** In lower case. */
export async function findCompanyNames(tx: MoveTx): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>("select name from companies");
  return new Set(rows.map(({ name }) => name.toLowerCase()));
}

export async function hasCompany(tx: MoveTx, companyId: number): Promise<boolean> {
  const rows = await tx.query<{ id: number }>("select id from companies where id = $1 and deleted_at is null", [
    companyId,
  ]);
  return rows.length > 0;
}

export async function findUsersByEmail(
  tx: MoveTx,
  emails: readonly string[],
): Promise<Map<string, { id: number; companyId: number }>> {
  const rows = await tx.query<{ id: number; companyId: number; email: string }>(
    `select id, company_id as "companyId", email from users where email = any($1::text[])`,
    [emails],
  );
  return new Map(rows.map((row) => [row.email, row]));
}

/** The runs of a source. */
export async function findRuns(tx: MoveTx, sourceId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>("select id from move_runs where source_id = $1", [sourceId]);
  return rows.map(({ id }) => id);
}

/** Which run of another source of the family brought users with these e-mails, the latest first, and how many. */
export async function findRunsOfUsers(
  tx: MoveTx,
  sourceId: number,
  emails: readonly string[],
): Promise<{ runId: number; source: string; users: number }[]> {
  return tx.query(
    `select m.run_id as "runId", s.name as source, count(*)::int as users from users u
     join moved_rows m on m.company_id is null and m.entity = 'users' and m.new_id = u.id and m.is_made
     join move_sources s on s.id = m.source_id
     where u.email = any($2::text[]) and s.kind = 'family' and s.id <> $1 group by m.run_id, s.name order by m.run_id desc`,
    [sourceId, emails],
  );
}

/** The run of this source that a company came with, and its name here. */
export async function findMovedCompany(
  tx: MoveTx,
  sourceId: number,
  companyId: number,
): Promise<{ runId: number; source: string; name: string } | undefined> {
  const rows = await tx.query<{ runId: number; source: string; name: string }>(
    `select m.run_id as "runId", s.name as source, c.name from companies c
     join moved_rows m on m.company_id is null and m.entity = 'companies' and m.new_id = c.id
     join move_sources s on s.id = m.source_id where m.source_id = $1 and c.id = $2 and c.deleted_at is null`,
    [sourceId, companyId],
  );
  return rows[0];
}

export async function findEmails(tx: MoveTx, userIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.query<{ id: number; email: string }>("select id, email from users where id = any($1::int[])", [
    userIds,
  ]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The numbers of contacts that have one, as `phone_key` spells them. */
export async function findNumberKeys(
  tx: MoveTx,
  companyId: number,
  contactIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await tx.query<{ id: number; key: string }>(
    `select id, number_key as key from contacts where company_id = $1 and id = any($2::int[]) and number_key is not null`,
    [companyId, contactIds],
  );
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export async function findNamed(
  tx: MoveTx,
  table: "queues" | "tags",
  companyId: number,
): Promise<{ id: number; name: string; color: string }[]> {
  return tx.query(`select id, name, color from ${table} where company_id = $1`, [companyId]);
}

export async function findConnections(
  tx: MoveTx,
  companyId: number,
): Promise<{ id: number; name: string; isDefault: boolean }[]> {
  return tx.query(`select id, name, is_default as "isDefault" from connections where company_id = $1`, [companyId]);
}

/** The contacts that have these numbers, or had them before a merge, by `phone_key`. */
export async function findContactsByNumber(
  tx: MoveTx,
  companyId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: number; key: string }>(
    `select id, number_key as key from contacts where company_id = $1 and number_key = any($2::text[])
     union all select contact_id, number_key from contact_aliases m where company_id = $1 and number_key = any($2::text[])
       and not exists (select from contacts c where c.company_id = $1 and c.number_key = m.number_key)`,
    [companyId, keys],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

export async function findGroups(tx: MoveTx, companyId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>("select id from contacts where company_id = $1 and is_group", [
    companyId,
  ]);
  return rows.map(({ id }) => id);
}

export interface KnownTicket {
  readonly id: number;
  readonly contactId: number;
  readonly connectionId: number | null;
  readonly isGroup: boolean;
  readonly status: string;
}

/** Every conversation of these contacts. */
export async function findTicketsOfContacts(
  tx: MoveTx,
  companyId: number,
  contactIds: readonly number[],
): Promise<KnownTicket[]> {
  return tx.query(
    `select id, contact_id as "contactId", connection_id as "connectionId", is_group as "isGroup", status from tickets
     where company_id = $1 and contact_id = any($2::int[]) order by id`,
    [companyId, contactIds],
  );
}

/** Messages that are here already under the ids of these: a line that was paired before the move has received them. */
export async function findMessagesByWaId(
  tx: MoveTx,
  companyId: number,
  ticketIds: readonly number[],
  waIds: readonly string[],
): Promise<{ id: number; ticketId: number; waId: string }[]> {
  return tx.query(
    `select id::float8 as id, ticket_id as "ticketId", wa_id as "waId" from messages
     where company_id = $1 and ticket_id = any($2::int[]) and wa_id = any($3::text[])`,
    [companyId, ticketIds, waIds],
  );
}

export async function findListNames(tx: MoveTx, companyId: number): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>("select lower(name) as name from contact_lists where company_id = $1", [
    companyId,
  ]);
  return new Set(rows.map(({ name }) => name));
}

/** The conversations with these ids. */
export async function findTickets(tx: MoveTx, companyId: number, ids: readonly number[]): Promise<KnownTicket[]> {
  return tx.query(
    `select id, contact_id as "contactId", connection_id as "connectionId", is_group as "isGroup", status from tickets
     where company_id = $1 and id = any($2::int[])`,
    [companyId, ids],
  );
}

/** For the rest of the transaction the search learns of new messages by `storeTexts` alone. */
export async function storeTextsLater(tx: MoveTx): Promise<void> {
  await tx.query("select set_config('app.texts_later', 'on', true)");
}

/** The texts of messages that this transaction has inserted, for the search. */
export async function storeTexts(
  tx: MoveTx,
  texts: readonly { readonly id: number; readonly ticketId: number; readonly body: string }[],
): Promise<void> {
  if (texts.length > 0 && !tx.isDry) {
    await tx.query("select store_message_texts($1::int[], $2::bigint[], $3::text[])", [
      texts.map(({ ticketId }) => ticketId),
      texts.map(({ id }) => id),
      texts.map(({ body }) => body),
    ]);
  }
}

/** Sets a column of rows that were inserted before what they refer to, where it is still empty. */
export async function setReferences(
  tx: MoveTx,
  {
    table,
    column,
    pairs,
  }: { table: string; column: string; pairs: readonly { readonly id: number; readonly ref: number }[] },
): Promise<void> {
  await tx.query(
    `update ${table} t set ${column} = v.ref from unnest($1::bigint[], $2::bigint[]) v (id, ref)
     where t.id = v.id and t.${column} is null`,
    [pairs.map(({ id }) => id), pairs.map(({ ref }) => ref)],
  );
}
