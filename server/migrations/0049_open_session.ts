import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * A sign-in in one statement. A function, because of two sign-ins of an account at the same moment the second must see the
 * session of the first, which it waited for: each statement of a function has a snapshot of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function open_session(of_user int, verified_hash text, new_id uuid, new_hash text, at timestamptz,
      until timestamptz, from_address text, agent text, event_type text, event jsonb) returns uuid[]
    language plpgsql
    as $$
    declare
      owner record;
      ended uuid[];
    begin
      select u.company_id, u.password_hash into owner from users u where u.id = of_user for no key update;
      if not found or owner.password_hash is distinct from coalesce(verified_hash, owner.password_hash) then
        return null;
      end if;
      with live as (
        update sessions s set ended_at = at, ended_reason = 'elsewhere' where s.user_id = of_user and s.ended_at is null
        returning s.id)
      select coalesce(array_agg(live.id), '{}') into ended from live;
      insert into sessions (id, company_id, user_id, refresh_hash, rotated_at, expires_at, created_at, address, user_agent)
      values (new_id, owner.company_id, of_user, new_hash, at, until, at, from_address, agent);
      if cardinality(ended) > 0 then
        insert into event_log (company_id, type, payload)
        values (owner.company_id, event_type, event || jsonb_build_object('sessionIds', ended));
      end if;
      return ended;
    end $$`.execute(db);
  await sql`revoke execute on function open_session from public`.execute(db);
  await sql`grant execute on function open_session to prosa_system`.execute(db);

  // The answer to a sign-in names the queues of the user, whose ids the system role could read before.
  await sql`create policy machinery on queues for select to prosa_system using (true)`.execute(db);
  await sql`grant select on queues to prosa_system`.execute(db);
}
