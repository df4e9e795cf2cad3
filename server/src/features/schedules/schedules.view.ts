import type { Schedule } from "@prosa/contract";
import type { ScheduleRow } from "./schedules.queries.ts";

export function scheduleView(row: ScheduleRow): Schedule {
  const { contactName, contactNumber, userName, sendAt, sentAt, ...rest } = row;
  return {
    ...rest,
    contact: { id: row.contactId, name: contactName, number: contactNumber },
    user: row.userId === null ? null : { id: row.userId, name: userName ?? "" },
    sendAt: sendAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}
