import { sql } from "kysely";
import { pino } from "pino";
import { systemClock } from "../server/src/platform/clock/index.ts";
import type { Ctx } from "../server/src/platform/ctx.ts";
import { openDatabase } from "../server/src/platform/db/index.ts";
import { findCampaigns } from "../server/src/features/campaigns/campaigns.queries.ts";
import { getCampaign, getTimeline, listRecipients } from "../server/src/features/campaigns/report/index.ts";
import { arrangeCampaign } from "../server/src/testing/campaign-storm/arrange-campaign.ts";
import { makeCompany } from "../server/src/testing/storm/company.ts";

const contacts = 50_000;
const times = 15;

/** The report of a campaign to 50,000 contacts: milliseconds of each of its calls, and of what a live update reads. */
export async function measureCampaignReport(url: string): Promise<[what: string, value: number][]> {
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log, max: 2, systemMax: 2 });
  try {
    const { companyId } = await makeCompany(db, `report${Date.now()}`);
    const actor = { kind: "system", companyId, reason: "bench" } as const;
    const scope = { actor, companyId, log, clock: systemClock };
    const pace = { messageInterval: 20, longerIntervalAfter: 0, greaterInterval: 0 };
    const id = await db.inCompany(scope, async (ctx) => {
      const { campaignId } = await arrangeCampaign(ctx, { contacts: 100, lines: 2, pace });
      await insertResults(ctx, campaignId);
      return campaignId;
    });
    const measure = async (work: (ctx: Ctx) => Promise<unknown>) => {
      const taken: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const began = performance.now();
        await db.read(scope, work);
        taken.push(performance.now() - began);
      }
      return taken.toSorted((a, b) => a - b)[Math.floor(times / 2)]!;
    };
    const page = { searchParam: "", pageNumber: 1, state: "" } as const;
    return [
      ["campaign report, 50,000 contacts: ms", await measure((ctx) => getCampaign(ctx, id))],
      ["campaign report: first page ms", await measure((ctx) => listRecipients(ctx, id, page))],
      [
        "campaign report: last page ms",
        await measure((ctx) => listRecipients(ctx, id, { ...page, pageNumber: 2_500 })),
      ],
      [
        "campaign report: page of a state ms",
        await measure((ctx) => listRecipients(ctx, id, { ...page, state: "read" })),
      ],
      [
        "campaign report: search ms",
        await measure((ctx) => listRecipients(ctx, id, { ...page, searchParam: "49999" })),
      ],
      ["campaign report: timeline ms", await measure((ctx) => getTimeline(ctx, id))],
      ["campaign report: live update ms", await measure((ctx) => findCampaigns(ctx, [id]))],
    ];
  } finally {
    await db.close();
  }
}

/** Results of a campaign that has run for hours. */
async function insertResults(ctx: Ctx, campaignId: number): Promise<void> {
  await sql`select set_config(name, '120s', true) from pg_settings where name in ('statement_timeout', 'transaction_timeout')`.execute(
    ctx.db,
  );
  await sql`update campaigns set status = 'EM_ANDAMENTO', started_at = now() - interval '10 hours' where id = ${campaignId}`.execute(
    ctx.db,
  );
  await sql`
    insert into campaign_recipients (company_id, campaign_id, position, name, number, match_number, state, variant, queued_at,
      sent_at, delivered_at, read_at)
    select ${ctx.companyId}, ${campaignId}, n, 'Pessoa ' || n, '55119' || (80000000 + n), n::text,
      case n % 4 when 0 then 'waiting' when 1 then 'sent' when 2 then 'delivered' else 'read' end, 1 + n % 3,
      at, at, case when n % 4 > 1 then at + interval '5 s' end, case when n % 4 > 2 then at + interval '1 h' end
    from generate_series(1, ${contacts}::int) n
    cross join lateral (
      select case when n % 4 > 0 then now() - interval '10 hours' + n * interval '0.6 s' end as at) planned`.execute(
    ctx.db,
  );
}
