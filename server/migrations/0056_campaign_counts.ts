import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * The results of each campaign, counted by triggers (as decision 0181 counts contacts): the sum of the rows of campaign_counts,
 * so that the report of a large campaign is read while it runs. Writers add rows and never wait for each other; who
 * publishes the results folds them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // contacts that got the message itself by the line, for the turn of its variants: of those asked first some never agree
  await sql`alter table campaign_lines add column messaged int not null default 0`.execute(db);
  await sql`
    alter table campaign_recipients
      add column search_text text generated always as (folded(name) || ' ' || number) stored`.execute(db);
  await sql`
    create index campaign_recipients_latest on campaign_recipients (company_id, campaign_id, queued_at desc)
    where queued_at is not null`.execute(db);
  await sql`
    create table campaign_counts (
      company_id int not null references companies on delete cascade,
      -- without a foreign key, which would have writers wait for the deletion of a campaign
      campaign_id int not null,
      -- a state of a recipient, or what happened to one: confirmationRequested, confirmed, answered
      counted text not null,
      n int not null
    )`.execute(db);
  await sql`create index campaign_counts_of on campaign_counts (company_id, campaign_id, counted) include (n)`.execute(
    db,
  );
  await protect(db, "campaign_counts");
  await createTriggers(db);
}

const counted = (difference: 1 | -1, rows: string) => `
      select company_id, campaign_id, ${difference} as n, unnest(array_remove(array[state,
        case when confirmation_requested_at is not null then 'confirmationRequested' end,
        case when confirmed_at is not null then 'confirmed' end,
        case when answered_at is not null then 'answered' end], null)) as counted
      from ${rows}`;

async function createTriggers(db: Kysely<unknown>) {
  const count = async (event: "insert" | "update" | "delete", parts: readonly string[], tables: string) => {
    const name = `count_recipients_${event}`;
    // No campaign while it is being deleted: then there is nothing to count.
    await sql`
      create function ${sql.id(name)}() returns trigger language plpgsql as ${sql.lit(`
    begin
      insert into campaign_counts (company_id, campaign_id, counted, n)
      select d.company_id, d.campaign_id, d.counted, sum(d.n)
      from (${parts.join("\n      union all")}) d
      join campaigns c on c.id = d.campaign_id
      group by d.company_id, d.campaign_id, d.counted
      having sum(d.n) <> 0;
      return null;
    end `)}`.execute(db);
    await sql`
      create trigger ${sql.id(`campaign_recipients_counted_${event}`)} after ${sql.raw(event)} on campaign_recipients
      referencing ${sql.raw(tables)} for each statement execute function ${sql.id(name)}()`.execute(db);
  };
  await count("insert", [counted(1, "after_change")], "new table as after_change");
  await count("delete", [counted(-1, "before_change")], "old table as before_change");
  await count(
    "update",
    [counted(1, "after_change"), counted(-1, "before_change")],
    "old table as before_change new table as after_change",
  );
  await sql`
    create function forget_campaigns() returns trigger language plpgsql as $$
    begin
      delete from campaign_counts k using before_change
      where k.company_id = before_change.company_id and k.campaign_id = before_change.id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger campaigns_forgotten after delete on campaigns
    referencing old table as before_change for each statement execute function forget_campaigns()`.execute(db);
}
