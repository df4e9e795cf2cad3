export { isOptedOutSql } from "./active.queries.ts";
export { moveOptOuts, restoreOptOuts, snapshotOptOuts } from "./move-opt-outs.queries.ts";
export type { OptOutSnapshot } from "./move-opt-outs.queries.ts";
export { optOutAnswers } from "./opt-out-answers.ts";
export { readOptOuts, setOptOut, takeOptOutBack } from "./opt-outs.service.ts";
export { recordOptOut } from "./record-opt-out.ts";
export { recordOptOuts } from "./record-opt-outs.ts";
export type { SaidText, WordOutcome } from "./record-opt-outs.ts";
export { optOutData } from "./erase-opt-outs.queries.ts";
