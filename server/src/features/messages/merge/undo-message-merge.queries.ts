import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** Which messages a contact had, by ticket. */
export interface MessageSnapshot {
  readonly ticketId: number;
  readonly ids: readonly number[];
}

const REMEMBER: Statement<MessageSnapshot> = {
  name: "messages_remember",
  text: `select ticket_id as "ticketId", json_agg(id order by id) as ids from messages
    where company_id = $1 and contact_id = $2 group by ticket_id`,
};

/** What `splitMessages` needs to give a contact's messages back after a merge. */
export async function snapshotMessages(ctx: Ctx, contactId: number): Promise<MessageSnapshot[]> {
  return ctx.raw(REMEMBER, [ctx.companyId, contactId]);
}

const GIVE_BACK: Statement<never> = {
  name: "messages_give_back",
  // The number sign and the row's own id mark what the contact which stayed had as well; WhatsApp's ids may have one too.
  text: `update messages set ticket_id = $2, contact_id = $3, wa_id = regexp_replace(wa_id, '#' || id || '$', ''), version = version + 1
    where company_id = $1 and id = any($4::bigint[])`,
};

/** The messages are this contact's again, in the tickets where they were. */
export async function undoMessageMerge(ctx: Ctx, contactId: number, memory: readonly MessageSnapshot[]): Promise<void> {
  for (const { ticketId, ids } of memory) {
    await ctx.raw(GIVE_BACK, [ctx.companyId, ticketId, contactId, ids]);
  }
}
