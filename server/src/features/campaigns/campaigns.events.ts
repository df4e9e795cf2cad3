import type { DomainEvent } from "#server/platform/ctx.ts";

/** A campaign or its state changed. */
export function campaignEvent(what: "created" | "updated" | "deleted", campaignId: number): DomainEvent {
  return { type: `campaign.${what}`, payload: { campaignId } };
}

/** Results came in: published only, and nothing that is cached of campaigns depends on it. */
export function campaignProgressed(campaignId: number): DomainEvent {
  return { type: "campaign.progressed", payload: { campaignId } };
}

/** The pace or the variables were saved. */
export const campaignSettingsSaved: DomainEvent = { type: "campaignSettings.saved", payload: {} };
