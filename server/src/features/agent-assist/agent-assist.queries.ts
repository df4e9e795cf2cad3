import type { MediaType } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

export interface ShownMessage {
  readonly id: number;
  readonly fromMe: boolean;
  readonly isAutomatic: boolean;
  readonly mediaType: MediaType;
  /** The text, or the caption of media. */
  readonly body: string;
  readonly transcript: string | null;
  readonly sentAt: Date;
}

const columns = `m.id, m.from_me as "fromMe", m.is_automatic as "isAutomatic", m.media_type as "mediaType", m.body,
  m.transcript, m.sent_at as "sentAt"`;

const NEWEST: Statement<ShownMessage> = {
  name: "assist_newest",
  text: `select ${columns} from messages m
    where m.company_id = $1 and m.ticket_id = $2 and not m.is_deleted and not m.is_stub
    order by m.sent_at desc, m.id desc limit $3`,
};

/** The newest messages of a ticket, oldest first, without those that were deleted. */
export async function findNewest(ctx: Ctx, ticketId: number, limit: number): Promise<ShownMessage[]> {
  return (await ctx.raw(NEWEST, [ctx.companyId, ticketId, limit])).toReversed();
}

const RECEIVED: Statement<ShownMessage> = {
  name: "assist_received",
  text: `select ${columns} from messages m
    where m.company_id = $1 and m.ticket_id = $2 and not m.is_deleted and not m.is_stub
      and (m.id = $3::bigint or $3::bigint is null and not m.from_me and (m.body <> '' or m.transcript <> ''))
    order by m.sent_at desc, m.id desc limit 1`,
};

/** One message of a ticket; without an id the last one with words that the customer wrote. */
export async function findReceived(
  ctx: Ctx,
  ticketId: number,
  messageId: number | undefined,
): Promise<ShownMessage | undefined> {
  return (await ctx.raw(RECEIVED, [ctx.companyId, ticketId, messageId ?? null]))[0];
}

/** The prompt that drafts for the desk. */
export interface AssistPrompt {
  readonly id: number;
  readonly hasKey: boolean;
}

const CHOSEN_OR_FIRST: Statement<AssistPrompt> = {
  name: "assist_prompt",
  text: `select id, api_key is not null as "hasKey" from prompts
    where company_id = $1 and (id = $2 or api_key is not null)
    order by case when id = $2 then 0 else 1 end, id limit 1`,
};

/**
 * The chosen prompt, with or without a key: another one's service was not chosen to read the conversations. Where it was deleted, or
 * none was chosen, the company's first with a key.
 */
export async function findAssistPrompt(ctx: Ctx, chosen: number | null): Promise<AssistPrompt | undefined> {
  return (await ctx.raw(CHOSEN_OR_FIRST, [ctx.companyId, chosen]))[0];
}
