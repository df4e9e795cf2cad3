import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { TicketAssignment } from "../tickets.policy.ts";

// The condition of the view's probe: another message of that second may be the last one, which costs one version too many.
const RAISE_VERSIONS: Statement<TicketAssignment & { readonly id: number }> = {
  name: "tickets_last_message_failure",
  text: `update tickets t set version = t.version + 1 from messages m
    where m.company_id = $1 and m.id = any($2::bigint[]) and t.company_id = $1 and t.id = m.ticket_id
      and t.last_message_from_me and t.last_message_at = m.sent_at
    returning t.id, t.status, t.queue_id as "queueId", t.user_id as "userId"`,
};

/** Raises the version of the tickets whose last message is one of these. Returns them. */
export async function raiseVersionsOfLastMessages(
  ctx: Ctx,
  messageIds: readonly number[],
): Promise<(TicketAssignment & { readonly id: number })[]> {
  return ctx.raw(RAISE_VERSIONS, [ctx.companyId, messageIds]);
}
