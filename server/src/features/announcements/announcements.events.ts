import { z } from "zod";
import type { DomainEvent } from "#server/platform/ctx.ts";

/** Told in every company; with who of it acts as the operator, and so sees inactive ones too. */
export function announcementEvent(
  what: "created" | "updated" | "deleted",
  announcementId: number,
  operatorIds: readonly number[],
): DomainEvent {
  return { type: `announcement.${what}`, payload: { announcementId, operatorIds: [...operatorIds] } };
}

export const announcementSchema = z.object({
  announcementId: z.number().int(),
  operatorIds: z.array(z.number().int()),
});
