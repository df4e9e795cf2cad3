import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Order of the kanban's lanes. Null: nobody has ordered the lane yet, it stands behind the others by name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tags add column lane_position int`.execute(db);
}
