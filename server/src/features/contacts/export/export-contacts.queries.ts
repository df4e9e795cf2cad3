import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

export interface ExportedContact {
  readonly id: number;
  readonly searchText: string;
  readonly name: string;
  readonly number: string | null;
  readonly email: string;
}

const EXPORT_PAGE: Statement<ExportedContact> = {
  name: "contacts_export_page",
  text: `select id, search_text as "searchText", name, number, email from contacts
    where company_id = $1 and not is_group and (search_text, id) > ($2, $3)
    order by search_text, id limit $4`,
};

/** The next page by name, without groups. Keyset pagination: the last page costs the same as the first. */
export async function findContactsAfter(
  ctx: Ctx,
  after: Pick<ExportedContact, "searchText" | "id">,
  limit: number,
): Promise<ExportedContact[]> {
  return ctx.raw(EXPORT_PAGE, [ctx.companyId, after.searchText, after.id, limit]);
}
