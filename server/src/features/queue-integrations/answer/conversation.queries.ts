import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Talk } from "../protocols/index.ts";

/** The conversation that an integration is told of. */
export interface Conversation {
  readonly contact: Talk["contact"];
  readonly ticket: NonNullable<Talk["ticket"]>;
  readonly connection: Talk["connection"];
  readonly episodeId: number | null;
}

const CONVERSATION: Statement<Conversation> = {
  name: "integration_conversation",
  text: `select json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'email', c.email) as contact,
      json_build_object('id', t.id, 'uuid', t.uuid, 'protocol', coalesce(e.protocol, ''), 'queue',
        case when q.id is not null then json_build_object('id', q.id, 'name', q.name) end) as ticket,
      case when w.id is not null then json_build_object('id', w.id, 'name', w.name, 'number', w.number) end as connection,
      t.episode_id as "episodeId"
    from tickets t
    join contacts c on c.id = t.contact_id
    left join episodes e on e.id = t.episode_id
    left join queues q on q.id = t.queue_id
    left join connections w on w.id = t.connection_id
    where t.company_id = $1 and t.id = $2`,
};

export async function findConversation(ctx: Ctx, ticketId: number): Promise<Conversation | undefined> {
  const [found] = await ctx.raw(CONVERSATION, [ctx.companyId, ticketId]);
  return found;
}

/** A customer's file, which may still be on its way. */
export interface SaidFile {
  readonly messageId: number;
  readonly isComing: boolean;
  readonly key: string | null;
  readonly name: string | null;
  readonly mimeType: string | null;
}

const FILES: Statement<SaidFile> = {
  name: "integration_said_files",
  text: `select message_id as "messageId", state in ('wanted', 'fetching') as "isComing", storage_key as key,
      file_name as name, mime_type as "mimeType"
    from media where company_id = $1 and message_id = any($2::bigint[])`,
};

export async function findSaidFiles(ctx: Ctx, messageIds: readonly number[]): Promise<SaidFile[]> {
  return ctx.raw(FILES, [ctx.companyId, messageIds]);
}
