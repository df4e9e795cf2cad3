import pg from "pg";

/** A ticket with a contact of its own. */
export interface SeededCard {
  readonly name: string;
  /** Absent: the open lane. */
  readonly laneId?: number;
  /** The agent of an open ticket. Absent: pending. */
  readonly userId?: number;
}

/**
 * Writes tickets of the user's company in bulk, as the owner of the database (past row-level security): the first one has the
 * newest message, each next one is a minute older. Once for a company. Resolves to their ids, in order.
 */
export async function seedKanbanCards(
  databaseUrl: string,
  ofUserId: number,
  cards: readonly SeededCard[],
): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>(
      `with company as (select company_id from users where id = $1),
       given as (
         select '5511' || (900000000 + row_number() over ()) as number, row_number() over () as n, c.*
         from json_to_recordset($2) as c (name text, "laneId" int, "userId" int)),
       people as (
         insert into contacts (company_id, name, number) select company_id, name, number from given, company
         returning id, number),
       made as (
         insert into tickets (company_id, contact_id, status, user_id, last_message, last_message_at)
         select company_id, p.id, case when "userId" is null then 'pending' else 'open' end, "userId", 'Mensagem ' || n,
           now() - n * interval '1 minute'
         from given join people p using (number), company order by n
         returning id, contact_id),
       labelled as (
         insert into ticket_tags (company_id, ticket_id, tag_id)
         select company_id, m.id, "laneId"
         from made m join people p on p.id = m.contact_id join given using (number), company where "laneId" is not null)
       select id from made order by id`,
      [ofUserId, JSON.stringify(cards)],
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
