import { sql } from "kysely";
import type { Kysely } from "kysely";
import { inEachCompany } from "#server/platform/db/migration-helpers.ts";

/**
 * The setting `asaas` is the key of the operator's payment account since this release (decision 0070). What companies entered before
 * charged nothing, and no secret stays that nobody reads and no new key seals again. The release before, which may still run beside this
 * one, shows it as not set.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await inEachCompany(db, (company) => sql`delete from settings where key = 'asaas'`.execute(company));
}
