export { admit, admitAll, gapMs } from "./admission/index.ts";
export type { Admission, AdmissionRequest, Purpose } from "./admission/index.ts";
export {
  atLineColumns,
  atLineJoins,
  createLineTurns,
  decideAtLine,
  whenLimitChanges,
  whenRulesAreSaved,
} from "./at-line/index.ts";
export type { AtLineFacts } from "./at-line/index.ts";
export {
  moveOptOuts,
  optOutAnswers,
  readOptOutWord,
  recordOptOut,
  recordOptOuts,
  restoreOptOuts,
  snapshotOptOuts,
} from "./opt-outs/index.ts";
export type { OptOutSnapshot, SaidWord, WordOutcome } from "./opt-outs/index.ts";
export { saveSendingRules } from "./rules/index.ts";
export { lastInboundSql, repliesSince, startedSince } from "./starts.ts";
