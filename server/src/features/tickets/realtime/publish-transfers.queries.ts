import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

interface TransferTexts {
  readonly senders: readonly { readonly id: number; readonly name: string }[];
  readonly notes: readonly { readonly id: number; readonly note: string }[];
}

/** Characters of a note that a toast or a notification shows. */
const noteLength = 200;

const TEXTS: Statement<TransferTexts> = {
  name: "ticket_transfer_texts",
  text: `select
      coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name)) from users u
        where u.company_id = $1 and u.id = any($2::int[])), '[]') as senders,
      coalesce((select json_agg(json_build_object('id', n.id, 'note', left(n.note, ${noteLength}))) from ticket_notes n
        where n.company_id = $1 and n.id = any($3::int[])), '[]') as notes`,
};

/** Who transferred, and the beginnings of their notes; what was deleted since is left out. */
export async function findTransferTexts(
  ctx: Ctx,
  transfers: readonly { readonly fromUserId: number; readonly noteId: number | null }[],
): Promise<TransferTexts> {
  const senders = transfers.map(({ fromUserId }) => fromUserId);
  const notes = transfers.flatMap(({ noteId }) => noteId ?? []);
  const [texts] = await ctx.raw(TEXTS, [ctx.companyId, senders, notes]);
  return texts!;
}
