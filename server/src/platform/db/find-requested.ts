import { sql } from "kysely";
import type { Ctx } from "../ctx.ts";

/**
 * The id of the row of a company's table that this request of a client has made already (decision 0298); undefined where there is none,
 * and for a request without an id.
 */
export async function findRequested(ctx: Ctx, table: string, requestId: string | null): Promise<number | undefined> {
  if (requestId === null) {
    return undefined;
  }
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where company_id = ${ctx.companyId} and request_id = ${requestId}`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}
