import { z } from "zod";
import type { DomainEvent } from "#server/platform/ctx.ts";

export const endReasons = ["elsewhere", "signed out", "reused", "password", "company"] as const;
export type EndReason = (typeof endReasons)[number];

export const endedSchema = z.object({
  userId: z.number().int(),
  sessionIds: z.array(z.string()),
  /** The session that goes on, where the account signed in elsewhere. */
  keptSessionId: z.string().nullable(),
  reason: z.enum(endReasons),
});
export type SessionEnded = z.output<typeof endedSchema>;

export function sessionEnded(ended: SessionEnded): DomainEvent {
  return { type: "session.ended", payload: { ...ended } };
}
