import { sql } from "kysely";
import type { Kysely } from "kysely";
import { inEachCompany, protect } from "#server/platform/db/migration-helpers.ts";

/**
 * How many tickets of a company are open and pending, by queue: the sums of the rows of ticket_counts (decision 0189). A trigger of
 * tickets adds a row for each change, so that writers never wait for each other, and folds them from time to time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_counts (
      -- without a foreign key, whose check each change would pay for; see forget_ticket_counts
      company_id int not null,
      -- 0: without a queue
      queue_id int not null,
      open int not null,
      pending int not null
    )`.execute(db);
  await sql`
    create index ticket_counts_of on ticket_counts (company_id) include (queue_id, open, pending)`.execute(db);
  await protect(db, "ticket_counts");
  await createFunctions(db);
  await createTriggers(db);
  // The triggers keep writers out until the transaction ends: nothing is counted twice or missed.
  await inEachCompany(db, (company) =>
    sql`
      insert into ticket_counts (company_id, queue_id, open, pending)
      select company_id, coalesce(queue_id, 0), count(*) filter (where status = 'open'), count(*) filter (where status = 'pending')
      from tickets where status in ('open', 'pending') group by 1, 2`.execute(company),
  );
}

async function createFunctions(db: Kysely<unknown>) {
  // Rows of others that fold at the same moment are skipped; a reader sees the rows of before or the ones of after.
  await sql`
    create function fold_ticket_counts(company int) returns void language sql as $$
      with pile as materialized (
        select t.ctid from ticket_counts t where t.company_id = company for update skip locked),
      folded as (delete from ticket_counts t using pile where t.ctid = pile.ctid returning t.queue_id, t.open, t.pending)
      insert into ticket_counts (company_id, queue_id, open, pending)
      select company, queue_id, sum(open), sum(pending) from folded
      group by queue_id having sum(open) <> 0 or sum(pending) <> 0;
    $$`.execute(db);
  await sql`
    create function count_ticket() returns trigger language plpgsql as $$
    declare
      company int := coalesce(new.company_id, old.company_id);
    begin
      perform from companies c where c.id = company;
      if not found then
        return null; -- it is being deleted
      end if;
      if tg_op = 'UPDATE' and new.queue_id is not distinct from old.queue_id then
        insert into ticket_counts (company_id, queue_id, open, pending)
        values (company, coalesce(new.queue_id, 0), (new.status = 'open')::int - (old.status = 'open')::int,
          (new.status = 'pending')::int - (old.status = 'pending')::int);
      else
        insert into ticket_counts (company_id, queue_id, open, pending)
        select company, coalesce(t.queue_id, 0), t.n * (t.status = 'open')::int, t.n * (t.status = 'pending')::int
        from (values (old.status, old.queue_id, -1), (new.status, new.queue_id, 1)) t (status, queue_id, n)
        where t.status in ('open', 'pending');
      end if;
      -- One in 32 folds, instead of each counting whether it should.
      if random() < 1.0 / 32 then
        perform fold_ticket_counts(company);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create function forget_ticket_counts() returns trigger language plpgsql as $$
    begin
      delete from ticket_counts t where t.company_id = old.id;
      return null;
    end $$`.execute(db);
}

async function createTriggers(db: Kysely<unknown>) {
  await sql`
    create trigger tickets_counted after insert on tickets for each row
    when (new.status <> 'closed') execute function count_ticket()`.execute(db);
  await sql`
    create trigger tickets_uncounted after delete on tickets for each row
    when (old.status <> 'closed') execute function count_ticket()`.execute(db);
  await sql`
    create trigger tickets_recounted after update of status, queue_id on tickets for each row
    when (old.status is distinct from new.status
      or (old.queue_id is distinct from new.queue_id and new.status <> 'closed'))
    execute function count_ticket()`.execute(db);
  await sql`
    create trigger companies_ticket_counts after delete on companies for each row
    execute function forget_ticket_counts()`.execute(db);
}
