import type { DomainEvent } from "#server/platform/ctx.ts";

/** Pace, hours or caps were saved: what they held may go on now. */
export const sendingRulesSaved: DomainEvent = { type: "sendingRules.saved", payload: {} };
