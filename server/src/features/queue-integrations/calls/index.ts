export { createCaller } from "./call-system.ts";
export type { CallFacts } from "./call-system.ts";
export { findCallPage, findCall, findReplied, openCall, pruneCalls, resetCall } from "./calls.queries.ts";
export type { CallRow } from "./calls.queries.ts";
export { callData } from "./erase-calls.queries.ts";
export { findHealth } from "./health.queries.ts";
export { noteOutcome, notePause } from "./note-outcome.ts";
export { enqueueReplay, REPLAY_TASK, replayCall } from "./replay.jobs.ts";
