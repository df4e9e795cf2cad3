import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";

/** Whether the setting userCreation is off for an operator's company, which stands for the installation, or for `companyId`. */
export async function isSignUpOff(tx: SystemTx, companyId: number | undefined): Promise<boolean> {
  const { rows } = await sql<{ isOff: boolean }>`
    select exists (
      select from settings s where s.key = 'userCreation' and s.value = 'disabled' and (s.company_id = ${companyId ?? null}::int
        or s.company_id in (select u.company_id from users u where u.is_super))) as "isOff"`.execute(tx.db);
  return rows[0]?.isOff ?? false;
}

export async function isPlanOffered(tx: SystemTx, planId: number): Promise<boolean> {
  const plan = await tx.db
    .selectFrom("plans")
    .select("id")
    .where("id", "=", planId)
    .where("is_public", "=", true)
    .executeTakeFirst();
  return plan !== undefined;
}
