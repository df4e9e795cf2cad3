import type { DomainEvent } from "#server/platform/ctx.ts";

export function settingSaved(key: string): DomainEvent {
  return { type: "setting.saved", payload: { key } };
}
