import { sql } from "kysely";
import type { Kysely } from "kysely";

/** A line of a campaign knows whom it wrote to last: a pass over many lines need not look for it among all results (decision 0229). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // without a foreign key: contacts of a campaign go only with it
  await sql`alter table campaign_lines add column last_recipient_id bigint`.execute(db);
  await sql`
    update campaign_lines l set last_recipient_id = (
      select r.id from campaign_recipients r
      where r.company_id = l.company_id and r.campaign_id = l.campaign_id and r.connection_id = l.connection_id
        and r.queued_at is not null
      order by r.queued_at desc limit 1)
    from campaigns c
    where c.id = l.campaign_id and c.status in ('EM_ANDAMENTO', 'CANCELADA')`.execute(db);
}
