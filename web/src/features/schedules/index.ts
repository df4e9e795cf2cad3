export { ScheduleDialog } from "./ScheduleDialog.tsx";
export { schedulesRealtime } from "./schedules.api.ts";
