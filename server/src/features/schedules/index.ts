export { moveSchedules, snapshotSchedules } from "./move-schedules.ts";
