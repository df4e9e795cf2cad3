import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

export interface ScriptedLine {
  readonly id: number;
  readonly companyId: number;
  readonly name: string;
}

/** Connected lines with scripted customers, of companies where a user is online. */
export async function findScriptedLines(db: Db): Promise<ScriptedLine[]> {
  return db.systemRaw(FIND_SCRIPTED, []);
}

/** Counts one more message of this day; false if the line has reached the limit. */
export async function claimMessage(ctx: Ctx, connectionId: number, limit: number): Promise<boolean> {
  const day = ctx.now().toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into sim_days (connection_id, company_id, day, said)
    select id, company_id, ${day}::date, 1 from connections where id = ${connectionId} and company_id = ${ctx.companyId}
    on conflict (connection_id) do update
      set day = excluded.day, said = case when sim_days.day = excluded.day then sim_days.said + 1 else 1 end
      where sim_days.day <> excluded.day or sim_days.said < ${limit}
    returning said`.execute(ctx.db);
  return rows.length > 0;
}

const FIND_SCRIPTED: Statement<ScriptedLine> = {
  name: "sim_scripted_lines",
  text: `select c.id, c.company_id as "companyId", c.name from connections c
    where c.provider = 'simulator' and c.is_lively and c.status = 'CONNECTED'
      and exists (select from user_presence p where p.company_id = c.company_id and p.is_online)
    order by c.id`,
};
