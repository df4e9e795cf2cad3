import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { NextRecipient, SendingCampaign } from "./dispatch.queries.ts";

export interface CampaignContent extends Pick<SendingCampaign, "name" | "messages" | "fileListId" | "file"> {
  /** Its first line; null without one. */
  readonly connectionId: number | null;
}

const CONTENT: Statement<CampaignContent> = {
  name: "campaign_content",
  text: `select c.name, c.messages, c.file_list_id as "fileListId",
      case when c.media_path is not null then json_build_object('path', c.media_path, 'name', coalesce(c.media_name, ''),
        'type', coalesce(c.media_type, 'application/octet-stream'), 'size', coalesce(c.media_size, 0)) end as file,
      (select l.connection_id from campaign_lines l where l.company_id = $1 and l.campaign_id = c.id
        order by l.position, l.connection_id limit 1) as "connectionId"
    from campaigns c where c.company_id = $1 and c.id = $2`,
};

/** What a campaign sends, and its first line. Undefined: there is no such campaign. */
export async function findCampaignContent(ctx: Ctx, campaignId: number): Promise<CampaignContent | undefined> {
  const [content] = await ctx.raw(CONTENT, [ctx.companyId, campaignId]);
  return content;
}

const CONTACT: Statement<Pick<NextRecipient, "name" | "number" | "email">> = {
  name: "campaign_test_contact",
  text: `select name, coalesce(number, '') as number, email from contacts where company_id = $1 and id = $2`,
};

/** The values of the variables in a text to a contact. */
export async function findContactFields(ctx: Ctx, contactId: number) {
  const [contact] = await ctx.raw(CONTACT, [ctx.companyId, contactId]);
  return contact!;
}
