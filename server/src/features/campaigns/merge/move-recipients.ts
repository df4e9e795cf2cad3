import type { Ctx } from "#server/platform/ctx.ts";
import { enqueuePublish } from "../campaigns.jobs.ts";
import { moveToContact, restoreTo, snapshotOf } from "./merge.queries.ts";
import type { RecipientSnapshot } from "./merge.queries.ts";

/** What `restoreRecipients` needs to undo a merge. */
export interface RecipientsSnapshot {
  readonly keptId: number;
  readonly rows: readonly RecipientSnapshot[];
}

/** The contacts of campaigns that a merge of `from` into `to` changes. */
export async function snapshotRecipients(ctx: Ctx, from: number, to: number): Promise<RecipientsSnapshot> {
  return { keptId: to, rows: await snapshotOf(ctx, from, to) };
}

/** In a merge of contacts: of a person who is in a campaign twice, one gets the message (K-05). */
export async function moveRecipients(ctx: Ctx, from: number, to: number): Promise<void> {
  for (const campaignId of await moveToContact(ctx, from, to)) {
    enqueuePublish(ctx, campaignId);
  }
}

/** Undoes `moveRecipients`: `contactId` is the contact that came back. `tendCampaign` finds those that wait again. */
export async function restoreRecipients(
  ctx: Ctx,
  contactId: number,
  { keptId, rows }: RecipientsSnapshot,
): Promise<void> {
  const own = rows.filter(({ isOwn }) => isOwn);
  const others = rows.filter(({ isOwn }) => !isOwn);
  const campaigns = [...(await restoreTo(ctx, contactId, own)), ...(await restoreTo(ctx, keptId, others))];
  for (const campaignId of new Set(campaigns)) {
    enqueuePublish(ctx, campaignId);
  }
}
