import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { HistoryMessage } from "./conversation.ts";

const HISTORY: Statement<HistoryMessage> = {
  name: "prompt_history",
  // Not one condition with "or": it would read the whole conversation.
  text: `with told as materialized (
      select unnest($3::bigint[]) as id
      union
      (select h.id from messages h
        where h.company_id = $1 and h.ticket_id = $2 and not h.is_deleted and not h.is_stub
          and (h.sent_at, h.id) <= (select l.sent_at, l.id from messages l where l.company_id = $1 and l.id = $4)
        order by h.sent_at desc, h.id desc limit $5))
    select m.id, m.from_me as "fromMe", m.media_type as "mediaType", m.body, m.transcript
    from told join messages m on m.id = told.id
    where m.company_id = $1 and m.ticket_id = $2 and not m.is_deleted and not m.is_stub
    order by m.sent_at, m.id`,
};

/** The last messages of a ticket up to the last that is to be answered, oldest first; those that are to be answered in any case. */
export async function readHistory(
  ctx: Ctx,
  ticketId: number,
  { answered, limit }: { readonly answered: readonly number[]; readonly limit: number },
): Promise<HistoryMessage[]> {
  return ctx.raw(HISTORY, [ctx.companyId, ticketId, answered, answered.at(-1), limit]);
}
