import { z } from "zod";
import type { DomainEvent } from "#server/platform/ctx.ts";

/** An event for one company. `operatorIds`: its users who are operators and so may see inactive announcements. */
export function announcementEvent(
  what: "created" | "updated" | "deleted",
  announcementId: number,
  operatorIds: readonly number[],
): DomainEvent {
  return { type: `announcement.${what}`, payload: { announcementId, operatorIds: [...operatorIds] } };
}

export const announcementPayload = z.object({
  announcementId: z.number().int(),
  operatorIds: z.array(z.number().int()),
});
