import type pg from "pg";

export const BEGIN: pg.QueryConfig = { text: "BEGIN" };
export const COMMIT: pg.QueryConfig = { text: "COMMIT" };
export const ROLLBACK: pg.QueryConfig = { text: "ROLLBACK" };
/** Is answered when the connection is free again. */
export const NOTHING: pg.QueryConfig = { text: "" };

/** The first statement of a transaction of a company. It need not be awaited: it is pipelined with the first one of the work. */
export function transactionPreamble(companyId: number, access: "write" | "read"): pg.QueryConfig {
  return { ...(access === "read" ? SET_COMPANY_READ_ONLY : SET_COMPANY), values: [String(companyId)] };
}

// Local to the transaction (`true`): a session setting would leak to the next user of the connection.
const COMPANY = "set_config('app.company_id', $1, true)";
const SET_COMPANY = { name: "set_company", text: `select ${COMPANY}` };
const SET_COMPANY_READ_ONLY = {
  name: "set_company_read_only",
  text: `select ${COMPANY}, set_config('transaction_read_only', 'on', true)`,
};

/**
 * For the rest of the transaction a plan for each statement's values, before the first unnamed one (Kysely's): it is parsed anew
 * each time, so a generic plan would save nothing and know less. Named ones keep theirs (see pools.ts).
 */
export const PLAN_BY_VALUES: pg.QueryConfig = {
  name: "plan_by_values",
  text: "select set_config('plan_cache_mode', 'auto', true)",
};
