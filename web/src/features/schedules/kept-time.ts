import type { Schedule } from "@prosa/contract/schedules";
import { wallClockOf } from "@prosa/contract/zoned-time";

/**
 * Does the form leave a schedule its time? That may have passed, where the sending gate holds the message. A failed one needs a
 * new time.
 */
export function keepsTime(
  schedule: Pick<Schedule, "status" | "sendAt"> | undefined,
  wallClock: string,
  timeZone: string,
): schedule is Pick<Schedule, "status" | "sendAt"> {
  return schedule?.status === "PENDENTE" && wallClock === wallClockOf(new Date(schedule.sendAt), timeZone);
}
