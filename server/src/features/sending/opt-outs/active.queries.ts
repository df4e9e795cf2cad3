/**
 * SQL: the active opt-out `o` of contact `c`. One whose contact was deleted holds for its number, so that a contact that is
 * added or imported again is not written to.
 */
export const activeOptOutSql = (c: string, columns: string) =>
  `(select ${columns} from opt_outs o
    where o.company_id = ${c}.company_id and o.taken_back_at is null and o.superseded_at is null
      and (o.contact_id = ${c}.id or o.contact_id is null and o.number_key = ${c}.number_key)
    order by o.id limit 1)`;

/** SQL: whether contact `c` wants no campaigns and no scheduled messages. */
export const isOptedOutSql = (c: string) => `${activeOptOutSql(c, "true")} is not null`;
