import type { Ctx } from "#server/platform/ctx.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { findIdsOfContact, setContact } from "./schedules.related.queries.ts";

/** The ids of a contact's schedules, to move them and to move them back. */
export async function snapshotSchedules(ctx: Ctx, contactId: number): Promise<number[]> {
  return findIdsOfContact(ctx, contactId);
}

/** Moves schedules to another contact, on the calendars too. */
export async function moveSchedules(ctx: Ctx, ids: readonly number[], contactId: number): Promise<void> {
  (await setContact(ctx, ids, contactId)).forEach((id) => ctx.emit(scheduleEvent("updated", id)));
}
