import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** An opt-out before a merge of its contact: JSON. */
export interface OptOutSnapshot {
  readonly id: number;
  readonly isSuperseded: boolean;
}

const SNAPSHOT: Statement<OptOutSnapshot> = {
  name: "opt_outs_snapshot",
  text: `select id, superseded_at is not null as "isSuperseded" from opt_outs where company_id = $1 and contact_id = $2 order by id`,
};

/** The opt-outs of a contact, to move them back after `moveOptOuts`. */
export async function snapshotOptOuts(ctx: Ctx, contactId: number): Promise<OptOutSnapshot[]> {
  return ctx.raw(SNAPSHOT, [ctx.companyId, contactId]);
}

const MOVE: Statement<never> = {
  name: "opt_outs_move",
  text: `update opt_outs o set contact_id = $3,
      superseded_at = case when o.taken_back_at is null and exists (select from opt_outs k
          where k.contact_id = $3 and k.taken_back_at is null and k.superseded_at is null)
        then coalesce(o.superseded_at, $4) else o.superseded_at end
    where o.company_id = $1 and o.contact_id = $2`,
};

/** Moves the opt-outs of a contact to the one that it is merged into: who opted out as one of the two has opted out. */
export async function moveOptOuts(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(MOVE, [ctx.companyId, from, to, ctx.now()]);
}

const RESTORE: Statement<never> = {
  name: "opt_outs_restore",
  text: `update opt_outs o set contact_id = $2, superseded_at = case when was.is_superseded then o.superseded_at end
    from unnest($3::int[], $4::boolean[]) as was(id, is_superseded)
    where o.company_id = $1 and o.id = was.id`,
};

/** Undoes `moveOptOuts`; one that was taken back meanwhile stays taken back. */
export async function restoreOptOuts(ctx: Ctx, contactId: number, snapshot: readonly OptOutSnapshot[]): Promise<void> {
  if (snapshot.length > 0) {
    await ctx.raw(RESTORE, [
      ctx.companyId,
      contactId,
      snapshot.map(({ id }) => id),
      snapshot.map(({ isSuperseded }) => isSuperseded),
    ]);
  }
}
