export { moveSchedules, snapshotSchedules } from "./schedules.queries.ts";
