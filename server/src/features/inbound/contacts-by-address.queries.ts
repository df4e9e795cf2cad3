import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** The contact that an address leads to on a connection. */
export interface AddressOfContact {
  readonly kind: "phone" | "lid" | "group";
  readonly value: string;
  readonly contactId: number;
}

const CONTACTS_BY_ADDRESS: Statement<AddressOfContact> = {
  name: "inbound_contacts_by_address",
  text: `select i.kind, i.value, i.contact_id as "contactId"
    from unnest($3::text[], $4::text[]) as wanted(kind, value)
    join contact_identifiers i on i.connection_id = $2 and i.kind = wanted.kind and i.value = wanted.value
    where i.company_id = $1`,
};

/** The contacts that have these addresses on the connection, one row an address. */
export async function findContactsByAddress(
  ctx: Ctx,
  connectionId: number,
  addresses: readonly { readonly kind: string; readonly value: string }[],
): Promise<AddressOfContact[]> {
  const kinds = addresses.map(({ kind }) => kind);
  const values = addresses.map(({ value }) => value);
  return ctx.raw(CONTACTS_BY_ADDRESS, [ctx.companyId, connectionId, kinds, values]);
}
