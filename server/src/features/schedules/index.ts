export { moveSchedules, rememberSchedules } from "./schedules.queries.ts";
