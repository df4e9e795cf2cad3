import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Assistant } from "../bot.script.ts";
import type { SaidToAssistant } from "./assistant-driver.ts";

const SAID: Statement<SaidToAssistant> = {
  name: "bot_said_to_assistant",
  text: `select m.id as "messageId", m.media_type as kind, m.body as text, f.message_id as "mediaId", m.sent_at as at,
      m.created_at as "storedAt"
    from messages m left join media f on f.message_id = m.id
    where m.company_id = $1 and m.ticket_id = $2 and m.id = any($3::bigint[]) and not m.is_deleted
    order by m.sent_at, m.id`,
};

/** These messages of a ticket, in order, without those that were deleted since. */
export async function readSaid(ctx: Ctx, ticketId: number, messageIds: readonly number[]): Promise<SaidToAssistant[]> {
  return ctx.raw(SAID, [ctx.companyId, ticketId, messageIds]);
}

const CONTACT: Statement<{ readonly contactId: number }> = {
  name: "bot_assisted_contact",
  text: `select contact_id as "contactId" from tickets where company_id = $1 and id = $2`,
};

/** Whose ticket it is; undefined if it is gone. */
export async function readContactId(ctx: Ctx, ticketId: number): Promise<number | undefined> {
  const [ticket] = await ctx.raw(CONTACT, [ctx.companyId, ticketId]);
  return ticket?.contactId;
}

const ASSISTANT_NAME: Statement<{ readonly name: string }> = {
  name: "bot_assistant_name",
  text: `select name from prompts where company_id = $1 and $2 = 'prompt' and id = $3
    union all select name from queue_integrations where company_id = $1 and $2 = 'integration' and id = $3`,
};

/** What the company calls an assistant; null if it was deleted. */
export async function readAssistantName(ctx: Ctx, { kind, id }: Assistant): Promise<string | null> {
  const [found] = await ctx.raw(ASSISTANT_NAME, [ctx.companyId, kind, id]);
  return found?.name ?? null;
}
