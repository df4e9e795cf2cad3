import type { Ctx } from "../ctx.ts";
import type { Statement } from "./raw.ts";

/** Below what a connection in use may be silent (`pools/pools.ts`): one that takes longer counts as gone. */
const LONGEST = "25s";

const ALLOW: Statement<never> = {
  name: "allow_long_transaction",
  // transaction_timeout is of PostgreSQL 17. Its timer runs already and keeps its time, unless it is switched off.
  text: `select set_config('statement_timeout', $1, true), case when current_setting('server_version_num')::int >= 170000
    then set_config('transaction_timeout', '0', true) || set_config('transaction_timeout', $1, true) end`,
};

/**
 * Gives this transaction 25 seconds from now, where requests and jobs have five for a statement and ten in all: for a verb that rewrites
 * a conversation's whole history and would fail each time that it is repeated. Its locks are held meanwhile.
 */
export async function allowLongTransaction(ctx: Ctx): Promise<void> {
  await ctx.raw(ALLOW, [LONGEST]);
}
