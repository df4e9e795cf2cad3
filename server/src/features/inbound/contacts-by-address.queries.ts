import { pictureStaleBefore } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

export interface ContactByAddress {
  readonly kind: "phone" | "lid" | "group";
  readonly value: string;
  readonly contactId: number;
  readonly name: string;
  /** Did a user write this name? Then a push name does not replace it. */
  readonly isNamed: boolean;
  /** The picture was not checked lately. */
  readonly isPictureStale: boolean;
}

const CONTACTS_BY_ADDRESS: Statement<ContactByAddress> = {
  name: "inbound_contacts_by_address",
  text: `select i.kind, i.value, i.contact_id as "contactId", c.name, c.is_named as "isNamed",
      coalesce(c.picture_checked_at < $5, true) as "isPictureStale"
    from unnest($3::text[], $4::text[]) as wanted(kind, value)
    join contact_identifiers i on i.connection_id = $2 and i.kind = wanted.kind and i.value = wanted.value
    join contacts c on c.id = i.contact_id
    where i.company_id = $1`,
};

/** The contacts that have these addresses on the connection, one row an address. */
export async function findContactsByAddress(
  ctx: Ctx,
  connectionId: number,
  addresses: readonly { readonly kind: string; readonly value: string }[],
): Promise<ContactByAddress[]> {
  const kinds = addresses.map(({ kind }) => kind);
  const values = addresses.map(({ value }) => value);
  return ctx.raw(CONTACTS_BY_ADDRESS, [ctx.companyId, connectionId, kinds, values, pictureStaleBefore(ctx.now())]);
}
