import { pageSize, recipientStates } from "@prosa/contract";
import type { Recipient, ResponseOf, campaigns } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findCampaign } from "../campaigns.queries.ts";
import type { CampaignRow } from "../campaigns.queries.ts";
import { findLatestRecipients, findRecipientPage, findTimeline, findTimelineSpan } from "./report.queries.ts";
import type { RecipientFilter, RecipientRow } from "./report.queries.ts";
import { stepFor, timelineOf } from "./timeline.ts";

/** Behaviour 1: the report never loads every contact. */
const shippingSize = 20;

type Shipping = ResponseOf<typeof campaigns.get>["shipping"];

/** A campaign with the contacts that were written to last. ERR_NOT_FOUND. */
export async function getCampaign(ctx: Ctx, id: number): Promise<{ row: CampaignRow; shipping: Shipping }> {
  const [row, latest] = await Promise.all([findCampaign(ctx, id), findLatestRecipients(ctx, id, shippingSize)]);
  return {
    row,
    shipping: latest.map((each) => ({
      id: each.id,
      name: each.name,
      number: each.number,
      deliveredAt: isoOrNull(each.deliveredAt),
      confirmationRequestedAt: isoOrNull(each.confirmationRequestedAt),
    })),
  };
}

/** A page of the contacts with their results (K-07). ERR_NOT_FOUND. */
export async function listRecipients(ctx: Ctx, id: number, filter: RecipientFilter) {
  await findCampaign(ctx, id);
  const { rows, count } = await findRecipientPage(ctx, id, filter, recipientStates);
  return { records: rows.map(recipientView), count, hasMore: filter.pageNumber * pageSize.others < count };
}

/** What happened over time, in at most 60 steps (K-07). ERR_NOT_FOUND. */
export async function getTimeline(ctx: Ctx, id: number): Promise<ResponseOf<typeof campaigns.timeline>> {
  const span = await findTimelineSpan(ctx, id);
  if (!span) {
    throw new AppError("ERR_NOT_FOUND", { campaignId: id });
  }
  const { startedAt, endedAt } = span;
  if (!startedAt || !endedAt) {
    return { stepSeconds: stepFor(0), steps: [] };
  }
  const step = stepFor(Math.max(0, (endedAt.getTime() - startedAt.getTime()) / 1_000));
  return timelineOf(startedAt, step, await findTimeline(ctx, id, startedAt, step));
}

function recipientView({ position: _position, ...row }: RecipientRow): Recipient {
  return {
    ...row,
    confirmationRequestedAt: isoOrNull(row.confirmationRequestedAt),
    confirmedAt: isoOrNull(row.confirmedAt),
    sentAt: isoOrNull(row.sentAt),
    deliveredAt: isoOrNull(row.deliveredAt),
    readAt: isoOrNull(row.readAt),
    answeredAt: isoOrNull(row.answeredAt),
  };
}

function isoOrNull(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
