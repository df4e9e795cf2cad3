import { sendingDefaults } from "@prosa/contract";
import type { SendingHours } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";

export interface LineRulesRow {
  readonly whatsappId: number;
  readonly name: string;
  readonly dailyCap: number | null;
  readonly warmUp: boolean;
  readonly linkedAt: Date | null;
  readonly startedToday: number;
}

/** Undefined where the company saved none. */
export async function findCompanyRules(
  ctx: Ctx,
): Promise<{ readonly minGapSeconds: number; readonly hours: SendingHours } | undefined> {
  const { rows } = await sql<{ minGapSeconds: number; hours: SendingHours }>`
    select min_gap_seconds as "minGapSeconds", hours from sending_rules where company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** The rules of all lines of the company, by name, and what they started on a day of its time zone, yyyy-MM-dd. */
export async function findLineRules(ctx: Ctx, day: string): Promise<LineRulesRow[]> {
  const { rows } = await sql<LineRulesRow>`
    select c.id as "whatsappId", c.name, r.daily_cap as "dailyCap", coalesce(r.warm_up, true) as "warmUp",
      c.linked_at as "linkedAt", coalesce(d.started, 0) as "startedToday"
    from connections c
    left join line_days d on d.company_id = c.company_id and d.connection_id = c.id and d.day = ${day}::date
    left join line_rules r on r.company_id = c.company_id and r.connection_id = c.id
    where c.company_id = ${ctx.companyId} order by lower(c.name), c.id`.execute(ctx.db);
  return rows;
}

/** Saves what is given; the other rule stays, or is the default of a company that saved none. */
export async function saveCompanyRules(
  ctx: Ctx,
  given: { readonly minGapSeconds: number | undefined; readonly hours: SendingHours | undefined },
): Promise<void> {
  const { minGapSeconds = sendingDefaults.minGapSeconds, hours = sendingDefaults.hours } = given;
  await sql`
    insert into sending_rules as saved (company_id, min_gap_seconds, hours)
    values (${ctx.companyId}, ${minGapSeconds}, ${JSON.stringify(hours)})
    on conflict (company_id) do update set
      min_gap_seconds = case when ${given.minGapSeconds !== undefined}::boolean then excluded.min_gap_seconds else saved.min_gap_seconds end,
      hours = case when ${given.hours !== undefined}::boolean then excluded.hours else saved.hours end`.execute(ctx.db);
}

/** Brings forward the next slots of the company's lines that are later than `latest`: they were taken with a longer gap. */
export async function shortenPaces(ctx: Ctx, latest: Date): Promise<void> {
  // Locked in the order of the lines, as the sending gate does.
  await sql`
    with pace as materialized (
      select connection_id from line_pace
      where company_id = ${ctx.companyId} and next_at > ${latest} order by connection_id for update)
    update line_pace p set next_at = ${latest} from pace
    where p.company_id = ${ctx.companyId} and p.connection_id = pace.connection_id`.execute(ctx.db);
}

/** Saves the rules of those of these lines that are the company's. Returns their ids. */
export async function saveLineRules(
  ctx: Ctx,
  lines: readonly { readonly whatsappId: number; readonly dailyCap: number | null; readonly warmUp: boolean }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into line_rules (connection_id, company_id, daily_cap, warm_up)
    select c.id, c.company_id, v.daily_cap, v.warm_up
    from jsonb_to_recordset(${JSON.stringify(lines.map(({ whatsappId, dailyCap, warmUp }) => ({ id: whatsappId, daily_cap: dailyCap, warm_up: warmUp })))}::jsonb)
      as v(id int, daily_cap int, warm_up boolean)
    join connections c on c.company_id = ${ctx.companyId} and c.id = v.id
    on conflict (connection_id) do update set daily_cap = excluded.daily_cap, warm_up = excluded.warm_up
    returning connection_id as id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
