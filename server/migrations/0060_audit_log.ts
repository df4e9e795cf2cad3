import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE, protect, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * The audit log (V-01, decision 0209). Nothing was ever written to its first draft, which is replaced. Rows are added in the
 * transaction of what they tell of, and chained shortly after; requests can neither change nor remove them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table audit_log`.execute(db);
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      at timestamptz not null,
      actor_kind text not null,
      -- no foreign key: the entry outlives the person
      user_id int,
      user_name text,
      action text not null,
      target_type text,
      target_id text,
      target_name text,
      -- whose data target_name and details may name: the privacy erasure empties them
      contact_id int,
      details jsonb not null default '{}',
      address text,
      user_agent text,
      -- SHA-256 of salt, target_name and details; without its salt it tells nothing of what was erased
      salt bytea,
      personal_hash bytea not null,
      -- null until chained
      seq bigint,
      hash bytea
    )`.execute(db);
  await sql`create index audit_log_recent on audit_log (company_id, id desc)`.execute(db);
  await sql`create index audit_log_of_user on audit_log (company_id, user_id, id desc)`.execute(db);
  await sql`create index audit_log_of_action on audit_log (company_id, action, id desc)`.execute(db);
  await sql`create index audit_log_of_target on audit_log (company_id, target_type, target_id, id desc)`.execute(db);
  await sql`create index audit_log_of_contact on audit_log (company_id, contact_id) where contact_id is not null`.execute(
    db,
  );
  await sql`create unique index audit_log_chain on audit_log (company_id, seq) where seq is not null`.execute(db);
  await sql`create index audit_log_unchained on audit_log (company_id, id) where seq is null`.execute(db);
  await protect(db, "audit_log", { app: "read", system: "read" });
  const columns = sql`company_id, at, actor_kind, user_id, user_name, action, target_type, target_id, target_name,
    contact_id, details, address, user_agent, salt, personal_hash`;
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    await sql`grant insert (${columns}) on audit_log to ${sql.id(role)}`.execute(db);
  }
  await sql`create policy machinery_adds on audit_log for insert to prosa_system with check (true)`.execute(db);
  await sql`create policy machinery_chains on audit_log for update to prosa_system using (true)`.execute(db);
  await sql`grant update (seq, hash, target_name, details, salt) on audit_log to prosa_system`.execute(db);

  // A row is chained once, and its personal part can only be emptied.
  await sql`
    create function keep_audit_log() returns trigger language plpgsql as $$
    begin
      if old.seq is not null and (new.seq, new.hash) is distinct from (old.seq, old.hash) then
        raise exception 'audit_log: a chained row cannot be chained again' using errcode = '42501';
      end if;
      if (new.target_name, new.details, new.salt) is distinct from (old.target_name, old.details, old.salt)
        and not (new.target_name is null and new.details = '{}' and new.salt is null) then
        raise exception 'audit_log: details can only be emptied' using errcode = '42501';
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger audit_log_kept before update on audit_log for each row execute function keep_audit_log()`.execute(
    db,
  );

  // Where each chain ends, signed with a key that is not in the database: a removed tail is noticed.
  await sql`
    create table audit_heads (
      company_id int primary key references companies on delete cascade,
      seq bigint not null,
      hash bytea not null,
      signature text not null,
      checked_at timestamptz,
      -- what the last check found, null: nothing
      fault jsonb
    )`.execute(db);
  await protect(db, "audit_heads", { app: "read", system: "read" });
  await sql`create policy machinery_writes on audit_heads to prosa_system using (true)`.execute(db);
  await sql`grant insert, update on audit_heads to prosa_system`.execute(db);
}
