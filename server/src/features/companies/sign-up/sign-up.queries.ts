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

/**
 * Companies that signed up, whose only person never confirmed their e-mail or signed in, and was sent the last link before `time`:
 * nothing was done in them, and their name and e-mail are held by nobody who needs them.
 */
export async function findUnconfirmedSignUps(tx: SystemTx, time: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from email_confirmations e join companies c on c.id = e.company_id
    where e.created_at < ${time} and c.deleted_at is null
      and not exists (select from users u where u.company_id = c.id and (u.id <> e.user_id or u.is_super))
      and not exists (select from sessions s where s.user_id = e.user_id)
      and not exists (select from invoice_payments p where p.company_id = c.id)
    order by c.id limit 100 for update of c skip locked`.execute(tx.db);
  return rows.map(({ id }) => id);
}
