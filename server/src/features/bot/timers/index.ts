export { runTimers, TIMERS_TASK, timersCron } from "./idle-ticket-timers.ts";
