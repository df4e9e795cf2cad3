import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { LinkPreview } from "./fetch-preview.ts";

interface LinkedMessage {
  readonly ticketId: number;
  readonly body: string;
  readonly isDeleted: boolean;
  /** The address that was asked for already. */
  readonly address: string | null;
}

const FIND_LINKED: Statement<LinkedMessage> = {
  name: "link_find_message",
  text: `select m.ticket_id as "ticketId", m.body, m.is_deleted as "isDeleted", l.address
    from messages m left join link_previews l on l.message_id = m.id where m.company_id = $1 and m.id = $2`,
};

/** A message as the job needs it; undefined where it is gone. */
export async function findLinkedMessage(ctx: Ctx, messageId: number): Promise<LinkedMessage | undefined> {
  const [message] = await ctx.raw(FIND_LINKED, [ctx.companyId, messageId]);
  return message;
}

/** Inserts a row of `link_previews`, or replaces that of an edited text, and makes a new version of the message. */
const SAVE = `
    on conflict (message_id) do update set address = excluded.address, url = excluded.url, url_hash = excluded.url_hash,
      title = excluded.title, description = excluded.description, picture = excluded.picture, fetched_at = excluded.fetched_at
    returning message_id, title is not null as "hasPreview"),
  touched as (
    update messages m set version = m.version + 1 from saved
    where m.company_id = $1 and m.id = saved.message_id and saved."hasPreview")
  select "hasPreview" from saved`;

const columns = "message_id, company_id, address, url, url_hash, title, description, picture, fetched_at";

const REUSE: Statement<{ hasPreview: boolean }> = {
  name: "link_reuse_preview",
  text: `with saved as (
    insert into link_previews (${columns})
    select $2, company_id, $3, url, url_hash, title, description, picture, fetched_at from link_previews
    where company_id = $1 and url_hash = $4 and fetched_at > $5 order by fetched_at desc limit 1 ${SAVE}`,
};

export interface AddressOfMessage {
  readonly messageId: number;
  readonly address: string;
  readonly url: string;
  readonly urlHash: Uint8Array;
}

/** Takes over what another message has learnt of the address since then: has it a preview? Undefined: nobody has asked. */
export async function reusePreview(ctx: Ctx, link: AddressOfMessage, since: Date): Promise<boolean | undefined> {
  const [row] = await ctx.raw(REUSE, [ctx.companyId, link.messageId, link.address, link.urlHash, since]);
  return row?.hasPreview;
}

const INSERT: Statement<{ hasPreview: boolean }> = {
  name: "link_save_preview",
  text: `with saved as (
    insert into link_previews (${columns}) values ($2, $1, $3, $4, $5, $6, $7, $8, $9) ${SAVE}`,
};

/** Stores the preview of a message's address, or that there is none. */
export async function savePreview(
  ctx: Ctx,
  { messageId, address, url, urlHash }: AddressOfMessage,
  preview: LinkPreview | undefined,
): Promise<void> {
  const found = [preview?.title ?? null, preview?.description ?? "", preview?.picture ?? null];
  await ctx.raw(INSERT, [ctx.companyId, messageId, address, url, urlHash, ...found, ctx.now()]);
}
