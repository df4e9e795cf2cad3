import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** SQL of a count that triggers keep (decision 0181): of the tickets of a tag, or of the company's contacts. */
export function keptCount(counted: "tag" | "contacts", of: RawBuilder<unknown> = sql`0`): RawBuilder<number> {
  return sql<number>`(
    select coalesce(sum(n), 0)::int from kept_counts
    where company_id = (select nullif(current_setting('app.company_id'), '')::int) and counted = ${sql.lit(counted)} and of_id = ${of})`;
}
