import pg from "pg";

/**
 * After a restore: asks again for the erasures that the database before it knew and the backup did not, so that nobody comes back
 * with it; a cron then starts them. A contact of the backup has the id that it had; after an earlier restore another one may have had it,
 * so an erasure is told apart by its time. Of somebody who is not in this backup the erasure is kept as finished:
 * an older backup, restored after this one, may have them, and their late messages stay out. Both as the owner of the databases.
 * Returns how many are to be erased.
 */
export async function reapplyErasures(before: string, restored: string): Promise<number> {
  const known = await erasuresOf(before);
  const client = new pg.Client({ connectionString: restored });
  await client.connect();
  try {
    await client.query("begin");
    let count = 0;
    for (const { company_id: companyId, contact_id: contactId, requested_at: requestedAt, ...erasure } of known) {
      const { rows } = await client.query<{ state: string }>(
        `insert into contact_erasures (company_id, contact_id, requested_at, marks, state, finished_at)
         select $1::int, $2::int, $3, $4, s.state, case when s.state = 'finished' then coalesce($5::timestamptz, $3) end
         from companies firm left join contacts c on c.company_id = firm.id and c.id = $2
         cross join lateral (select case when c.id is null or exists (
           select from contact_erasures o where o.company_id = $1 and o.contact_id = $2 and o.state <> 'finished')
           then 'finished' else 'waiting' end as state) s
         where firm.id = $1 and not exists (
           select from contact_erasures e where e.company_id = $1 and e.contact_id = $2 and e.requested_at = $3)
         returning state`,
        [companyId, contactId, requestedAt, erasure.marks, erasure.finished_at],
      );
      count += rows[0]?.state === "waiting" ? 1 : 0;
    }
    await client.query("commit");
    return count;
  } finally {
    await client.end();
  }
}

interface KnownErasure {
  readonly company_id: number;
  readonly contact_id: number;
  readonly requested_at: Date;
  readonly finished_at: Date | null;
  readonly marks: readonly string[];
}

/** None where the database is of a release before erasures, or empty. */
async function erasuresOf(url: string): Promise<KnownErasure[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query("select to_regclass('contact_erasures') is not null as exists");
    if (!tables[0]?.exists) {
      return [];
    }
    const { rows } = await client.query<KnownErasure>(
      "select company_id, contact_id, requested_at, finished_at, marks from contact_erasures order by id",
    );
    return rows;
  } finally {
    await client.end();
  }
}
