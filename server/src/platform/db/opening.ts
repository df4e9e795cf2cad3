import type pg from "pg";

export const BEGIN: pg.QueryConfig = { text: "BEGIN" };
export const COMMIT: pg.QueryConfig = { text: "COMMIT" };

/** The statements that open a transaction of one company. They need not be awaited: they go out with what follows. */
export function openingOf(companyId: number, access: "write" | "read" = "write"): [pg.QueryConfig, pg.QueryConfig] {
  return [access === "read" ? BEGIN_READ_ONLY : BEGIN, { ...SET_COMPANY, values: [String(companyId)] }];
}

const BEGIN_READ_ONLY: pg.QueryConfig = { text: "BEGIN READ ONLY" };

// Local to the transaction (`true`): a setting of the session would leak to the connection's next user.
const SET_COMPANY = { name: "set_company", text: "select set_config('app.company_id', $1, true)" };
