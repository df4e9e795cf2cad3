export { atLineColumns, atLineJoins } from "./at-line.queries.ts";
export { decideAtLine } from "./decide-at-line.ts";
export type { AtLineFacts } from "./decide-at-line.ts";
export { createLineTurns } from "./line-turns.ts";
export { whenLimitChanges, whenRulesAreSaved } from "./when-limit-changes.ts";
