import { campaignBody } from "@prosa/contract";
import { sql } from "kysely";
import { createCampaign } from "#server/features/campaigns/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";

export interface ArrangedCampaign {
  readonly contacts: number;
  readonly lines: number;
  readonly pace: Readonly<Record<"messageInterval" | "longerIntervalAfter" | "greaterInterval", number>>;
}

/** Connected lines, the pace, and a campaign that is due, over a list with invalid numbers and second spellings. */
export async function arrangeCampaign(
  ctx: Ctx,
  { contacts, lines: lineCount, pace }: ArrangedCampaign,
): Promise<{ readonly connectionIds: number[]; readonly campaignId: number }> {
  const { companyId, db } = ctx;
  const { rows: lines } = await sql<{ id: number }>`
    insert into connections (company_id, name, provider, status, is_default)
    select ${companyId}, 'line ' || n, 'simulator', 'CONNECTED',
      n = 1 and not exists (select from connections where company_id = ${companyId} and is_default)
    from generate_series(1, ${lineCount}::int) n returning id`.execute(db);
  const connectionIds = lines.map(({ id }) => id);
  await sql`
    insert into line_rules (company_id, connection_id, warm_up)
    select ${companyId}, id, false from unnest(${connectionIds}::int[]) id`.execute(db);
  await sql`
    insert into sending_rules (company_id, min_gap_seconds, hours) values (${companyId}, 1, ${JSON.stringify(alwaysOpen)})`.execute(
    db,
  );
  await sql`
    insert into campaign_settings (company_id, key, value)
    select ${companyId}, key, value from jsonb_each(${JSON.stringify(pace)}::jsonb)`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into contact_lists (company_id, name) values (${companyId}, 'Clientes') returning id`.execute(db);
  const contactListId = rows[0]!.id;
  // Each 25th is not on WhatsApp, each 40th is the person before it with the ninth digit left out.
  await sql`
    insert into contact_list_items (company_id, contact_list_id, name, number, match_number, is_whatsapp_valid)
    select ${companyId}, ${contactListId}, 'Pessoa ' || n,
      case when n % 40 = 0 then '5511' || (80000000 + n - 1) else '55119' || (80000000 + n) end, 'number ' || n, n % 25 <> 0 or n % 40 = 0
    from generate_series(1, ${contacts}::int) n`.execute(db);
  const [whatsappId, ...whatsappIds] = connectionIds;
  const texts = { message1: "Oi {nome}", message2: "Olá {nome}", message4: "Bom dia {nome}" };
  const body = { name: "Tempestade", ...texts, whatsappId, whatsappIds, contactListId };
  const campaign = await createCampaign(ctx, campaignBody.parse({ ...body, scheduledAt: ctx.now().toISOString() }));
  return { connectionIds, campaignId: campaign.id };
}

const alwaysOpen = { isOn: false, weekdays: ["monday"], start: "08:00", end: "20:00" };
