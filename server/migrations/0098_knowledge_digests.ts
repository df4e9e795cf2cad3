import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Texts by their digest: which vectors are used, and what they belong to (decision 0248). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index knowledge_passages_of_digest on knowledge_passages (company_id, digest)`.execute(db);
  await sql`create index quick_messages_of_digest on quick_messages (company_id, digest)`.execute(db);
}
