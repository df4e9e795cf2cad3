export { proposedTimeOn, rangeOf, type DayRange } from "./ranges.ts";
export { calendarMessages } from "./calendar.i18n.ts";
export { ScheduleCalendar } from "./ScheduleCalendar.tsx";
export { ScheduleDialog, type ScheduleStart } from "./ScheduleDialog.tsx";
export { schedulesOfRange, useMoveSchedule } from "./schedules.api.ts";
export { schedulesRealtime } from "./schedules.realtime.ts";
