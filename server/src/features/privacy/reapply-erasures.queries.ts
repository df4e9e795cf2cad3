import pg from "pg";

/**
 * After a restore: asks again for the erasures that the database before it knew and the backup did not, so that nobody comes back
 * with it; a cron then starts them, and they look for their people by their marks (decision 0284). An erasure is told apart by its time
 * and its marks, a company by when it was made: ids are given anew after a restore. Both as the owner of the databases. Returns
 * how many are asked for again.
 */
export async function reapplyErasures(before: string, restored: string): Promise<number> {
  const known = await erasuresOf(before);
  const client = new pg.Client({ connectionString: restored });
  await client.connect();
  try {
    await client.query("begin");
    let count = 0;
    for (const erasure of known) {
      const { rowCount } = await client.query(
        `insert into contact_erasures (company_id, contact_id, requested_at, marks)
         select id, $2::int, $3::timestamptz, $4::text[] from companies
         where id = $1::int and created_at = $5::timestamptz and not exists (
           select from contact_erasures e where e.company_id = $1 and e.requested_at = $3::timestamptz
             and (e.contact_id = $2 or e.marks && $4::text[]))`,
        [erasure.company_id, erasure.contact_id, erasure.requested_at, erasure.marks, erasure.company_created_at],
      );
      count += rowCount ?? 0;
    }
    await client.query("commit");
    return count;
  } finally {
    await client.end();
  }
}

interface KnownErasure {
  readonly company_id: number;
  /** As text: a Date has no microseconds. */
  readonly company_created_at: string;
  readonly contact_id: number;
  readonly requested_at: string;
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
      `select e.company_id, c.created_at::text as company_created_at, e.contact_id, e.requested_at::text as requested_at, e.marks
       from contact_erasures e join companies c on c.id = e.company_id order by e.id`,
    );
    return rows;
  } finally {
    await client.end();
  }
}
