export { countStatements, countStatement, countTransaction, countInAll } from "./count-statements.ts";
export type { StatementCount } from "./count-statements.ts";
export { kyselyOver } from "./kysely-session.ts";
export type { RunStatement } from "./kysely-session.ts";
export { createOutbox } from "./outbox.ts";
export type { Session } from "./session.ts";
export { PLAN_BY_VALUES, transactionPreamble } from "./transaction-preamble.ts";
export { runInOneTrip, runTransaction, withRetry } from "./transaction.ts";
