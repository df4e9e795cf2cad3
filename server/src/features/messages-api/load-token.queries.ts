import type { Language } from "@prosa/contract/i18n";
import { overdueFromSql } from "#server/platform/db/index.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

/** The columns of a company that rights depend on. */
export interface TokenRow {
  readonly connectionId: number;
  readonly companyId: number;
  readonly isActive: boolean;
  readonly dueDate: string | null;
  readonly overdueFrom: Date | null;
  readonly flags: Readonly<Record<string, boolean>> | null;
  readonly timeZone: string;
  readonly language: Language;
}

const OF_TOKEN: Statement<TokenRow> = {
  name: "connection_of_token",
  text: `select l.id as "connectionId", l.company_id as "companyId", c.is_active as "isActive", c.due_date as "dueDate",
      ${overdueFromSql("c")} as "overdueFrom", p.flags, c.time_zone as "timeZone", c.language
    from connections l join companies c on c.id = l.company_id left join plans p on p.id = c.plan_id
    where l.token_hash = $1 and c.deleted_at is null`,
};

/** The connection with this token, over all companies: the caller is not known before. */
export async function findConnectionOfToken(db: Db, tokenHash: string): Promise<TokenRow | undefined> {
  const [row] = await db.systemRaw(OF_TOKEN, [tokenHash]);
  return row;
}
