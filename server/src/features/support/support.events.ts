import type { DomainEvent } from "#server/platform/ctx.ts";

/** In a company: the support was let in, asks to be, or may not come any more. */
export const supportChanged: DomainEvent = { type: "support.changed", payload: {} };
