import type pg from "pg";

export const BEGIN: pg.QueryConfig = { text: "BEGIN" };
export const COMMIT: pg.QueryConfig = { text: "COMMIT" };
export const ROLLBACK: pg.QueryConfig = { text: "ROLLBACK" };

/** BEGIN and the company setting. They need not be awaited: they are pipelined with the first statement of the work. */
export function transactionPreamble(
  companyId: number,
  access: "write" | "read" = "write",
): [pg.QueryConfig, pg.QueryConfig] {
  return [access === "read" ? BEGIN_READ_ONLY : BEGIN, { ...SET_COMPANY, values: [String(companyId)] }];
}

/**
 * The same for hot named statements, with generic plans: planning a list with its joins takes longer (3 ms) than running
 * it (2 ms), and PostgreSQL would replan while it estimates custom plans as slightly cheaper.
 */
export function hotTransactionPreamble(
  companyId: number,
  access: "write" | "read" = "read",
): [pg.QueryConfig, pg.QueryConfig] {
  return [access === "read" ? BEGIN_READ_ONLY : BEGIN, { ...SET_COMPANY_AND_KEEP_PLANS, values: [String(companyId)] }];
}

const BEGIN_READ_ONLY: pg.QueryConfig = { text: "BEGIN READ ONLY" };

// Local to the transaction (`true`): a session setting would leak to the next user of the connection.
const SET_COMPANY = { name: "set_company", text: "select set_config('app.company_id', $1, true)" };

const SET_COMPANY_AND_KEEP_PLANS = {
  name: "set_company_hot",
  text: "select set_config('app.company_id', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)",
};
