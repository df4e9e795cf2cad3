import type pg from "pg";

export const BEGIN: pg.QueryConfig = { text: "BEGIN" };
export const COMMIT: pg.QueryConfig = { text: "COMMIT" };
export const ROLLBACK: pg.QueryConfig = { text: "ROLLBACK" };

/** BEGIN and the company setting. They need not be awaited: they are pipelined with the first statement of the work. */
export function transactionPreamble(companyId: number, access: "write" | "read"): [pg.QueryConfig, pg.QueryConfig] {
  return [access === "read" ? BEGIN_READ_ONLY : BEGIN, { ...SET_COMPANY, values: [String(companyId)] }];
}

const BEGIN_READ_ONLY: pg.QueryConfig = { text: "BEGIN READ ONLY" };
// Local to the transaction (`true`): a session setting would leak to the next user of the connection.
const SET_COMPANY = { name: "set_company", text: "select set_config('app.company_id', $1, true)" };

/**
 * For the rest of the transaction a plan for each statement's values, before the first unnamed one (Kysely's): it is parsed anew
 * each time, so a generic plan would save nothing and know less. Named ones keep theirs (see pools.ts).
 */
export const PLAN_BY_VALUES: pg.QueryConfig = {
  name: "plan_by_values",
  text: "select set_config('plan_cache_mode', 'auto', true)",
};
