import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

export interface LivelyLine {
  readonly id: number;
  readonly companyId: number;
  readonly name: string;
}

/** Connected lines whose people live by themselves, of companies where somebody is signed in to see it. */
export async function findLivelyLines(db: Db): Promise<LivelyLine[]> {
  return db.systemRaw(FIND_LIVELY, []);
}

/** Counts one more message of this day; false where the line has had enough of them. */
export async function claimWord(ctx: Ctx, connectionId: number, most: number): Promise<boolean> {
  const day = ctx.now().toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into sim_days (connection_id, company_id, day, said)
    select id, company_id, ${day}::date, 1 from connections where id = ${connectionId} and company_id = ${ctx.companyId}
    on conflict (connection_id) do update
      set day = excluded.day, said = case when sim_days.day = excluded.day then sim_days.said + 1 else 1 end
      where sim_days.day <> excluded.day or sim_days.said < ${most}
    returning said`.execute(ctx.db);
  return rows.length > 0;
}

const FIND_LIVELY: Statement<LivelyLine> = {
  name: "sim_lively_lines",
  text: `select c.id, c.company_id as "companyId", c.name from connections c
    where c.provider = 'simulator' and c.is_lively and c.status = 'CONNECTED'
      and exists (select from user_presence p where p.company_id = c.company_id and p.is_online)
    order by c.id`,
};
