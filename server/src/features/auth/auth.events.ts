import { z } from "zod";
import type { DomainEvent } from "#server/platform/ctx.ts";

export const sessionEndReasons = ["elsewhere", "signed out", "reused", "password", "company"] as const;
export type SessionEndReason = (typeof sessionEndReasons)[number];

export const sessionEndedSchema = z.object({
  userId: z.number().int(),
  sessionIds: z.array(z.string()),
  /** The session that goes on, where the account signed in elsewhere. */
  keptSessionId: z.string().nullable(),
  reason: z.enum(sessionEndReasons),
});
export type SessionEnded = z.output<typeof sessionEndedSchema>;

export function sessionEnded(ended: SessionEnded): DomainEvent {
  return { type: "session.ended", payload: { ...ended } };
}

export const supportEndedSchema = z.object({ sessionId: z.string() });

/** In the company that was entered: a support session is over. */
export function supportEnded(sessionId: string): DomainEvent {
  return { type: "support.ended", payload: { sessionId } };
}
