export { createCaller } from "./call-system.ts";
export type { CallFacts } from "./call-system.ts";
export { findCallPage, findCall, openCall, pruneCalls, resetCall, saveOutcome } from "./calls.queries.ts";
export type { CallRow } from "./calls.queries.ts";
export { callData } from "./erase-calls.queries.ts";
export { enqueueReplay, REPLAY_TASK, replayCall } from "./replay.jobs.ts";
