import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

export interface ExportedContact {
  readonly id: number;
  readonly place: string;
  readonly name: string;
  readonly number: string | null;
  readonly email: string;
}

const NEXT: Statement<ExportedContact> = {
  name: "contacts_export_page",
  text: `select id, search_text as place, name, number, email from contacts
    where company_id = $1 and not is_group and (search_text, id) > ($2, $3)
    order by search_text, id limit $4`,
};

/** The people after one of them, by name: a page costs the same at the end of a long list as at its start. */
export async function findContactsAfter(
  ctx: Ctx,
  after: Pick<ExportedContact, "place" | "id">,
  limit: number,
): Promise<ExportedContact[]> {
  return ctx.raw(NEXT, [ctx.companyId, after.place, after.id, limit]);
}
