export { runTimers, TIMERS_TASK, timersCron } from "./timers.ts";
