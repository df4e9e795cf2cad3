import type { RecipientState } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A contact of a campaign before a merge: JSON. */
export interface RecipientSnapshot {
  readonly id: number;
  readonly state: RecipientState;
  readonly isOwn: boolean;
}

const SNAPSHOT: Statement<RecipientSnapshot> = {
  name: "campaign_recipients_snapshot",
  text: `select id, state, contact_id = $2 as "isOwn" from campaign_recipients
    where company_id = $1 and contact_id = any(array[$2::int, $3::int]) order by id`,
};

/** What campaigns have of the contact `from`, and of the one that it is merged into. */
export async function snapshotOf(ctx: Ctx, from: number, to: number): Promise<RecipientSnapshot[]> {
  return ctx.raw(SNAPSHOT, [ctx.companyId, from, to]);
}

const stillToWrite = "('unchecked', 'waiting')";

// One that is still to be written to gives way to the other; of two that were written to the other one keeps the contact.
const SETTLE_PAIRS: Statement<{ campaignId: number }> = {
  name: "campaign_recipients_settle_pairs",
  text: `with pair as (
      select gone.id as gone_id, kept.id as kept_id, gone.state in ${stillToWrite} as gone_waits,
        kept.state in ${stillToWrite} as kept_waits
      from campaign_recipients gone
      join campaign_recipients kept on kept.company_id = $1 and kept.campaign_id = gone.campaign_id and kept.contact_id = $3
      where gone.company_id = $1 and gone.contact_id = $2),
    loser as (
      select case when kept_waits and not gone_waits then kept_id else gone_id end as id from pair)
    update campaign_recipients r set contact_id = null,
      state = case when r.state in ${stillToWrite} then 'duplicate' else r.state end
    from loser where r.company_id = $1 and r.id = loser.id
    returning r.campaign_id as "campaignId"`,
};

const MOVE: Statement<{ campaignId: number }> = {
  name: "campaign_recipients_move",
  text: `update campaign_recipients set contact_id = $3 where company_id = $1 and contact_id = $2
    returning campaign_id as "campaignId"`,
};

/** Gives what campaigns have of a contact to another one: each campaign has one person once. Returns these campaigns. */
export async function moveToContact(ctx: Ctx, from: number, to: number): Promise<number[]> {
  const values = [ctx.companyId, from, to];
  const changed = [...(await ctx.raw(SETTLE_PAIRS, values)), ...(await ctx.raw(MOVE, values))];
  return [...new Set(changed.map(({ campaignId }) => campaignId))];
}

const RESTORE: Statement<{ campaignId: number }> = {
  name: "campaign_recipients_restore",
  text: `update campaign_recipients r set contact_id = $2,
      state = case when r.state = 'duplicate' and c.status <> 'FINALIZADA' then was.state else r.state end
    from unnest($3::bigint[], $4::text[]) as was(id, state), campaigns c
    where r.company_id = $1 and r.id = was.id and c.company_id = $1 and c.id = r.campaign_id
    returning r.campaign_id as "campaignId"`,
};

/** Gives these back to a contact; one that gave way waits again, unless its campaign is over. Returns their campaigns. */
export async function restoreTo(ctx: Ctx, contactId: number, rows: readonly RecipientSnapshot[]): Promise<number[]> {
  const restored = await ctx.raw(RESTORE, [
    ...[ctx.companyId, contactId],
    ...[rows.map(({ id }) => id), rows.map(({ state }) => state)],
  ]);
  return [...new Set(restored.map(({ campaignId }) => campaignId))];
}
