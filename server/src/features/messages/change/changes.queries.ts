import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Author } from "../authors.ts";

// Edits of the phone may come out of order: an older one that waited in the offline queue comes after a newer one.
const EDIT: Statement<{ id: number }> = {
  name: "message_edit",
  text: `with message as (
      select m.id, m.company_id, m.body, last.at as last_at, $5::boolean and coalesce(last.at > $4::timestamptz, false) as is_overtaken
      from messages m, lateral (select max(e.at) as at from message_edits e where e.message_id = m.id) last
      where m.company_id = $1 and m.id = $2 and m.body <> $3 and not m.is_deleted),
    history as (
      insert into message_edits (company_id, message_id, body, at)
      select company_id, id, case when is_overtaken then $3 else body end, greatest(last_at, $4) from message
      where not is_overtaken or not exists (select from message_edits e where e.message_id = $2 and e.body = $3))
    update messages m set body = $3, is_edited = true, version = m.version + 1
    from message where m.company_id = $1 and m.id = message.id and not message.is_overtaken
    returning m.id`,
};

export interface Edit {
  readonly body: string;
  readonly at: Date;
  /** It came from WhatsApp, where a newer one may have come first: then its text is stored in the edit history only. */
  readonly isReceived: boolean;
}

/** Replaces the text and stores the old one in the edit history. False if the text stays. */
export async function saveEdit(ctx: Ctx, id: number, { body, at, isReceived }: Edit): Promise<boolean> {
  const rows = await ctx.raw(EDIT, [ctx.companyId, id, body, at, isReceived]);
  return rows.length > 0;
}

const DELETE: Statement<{ id: number }> = {
  name: "message_mark_deleted",
  text: `update messages m set is_deleted = true, version = m.version + 1
    where m.company_id = $1 and m.id = $2 and not m.is_deleted returning m.id`,
};

/** Marks a message as deleted; its row stays. False if it was already deleted. */
export async function markMessageDeleted(ctx: Ctx, id: number): Promise<boolean> {
  const rows = await ctx.raw(DELETE, [ctx.companyId, id]);
  return rows.length > 0;
}

/** Reactions of the person whose address is `$3`, under another one: `$5`, or with `$6` whoever is not the company. */
const underAnotherAddress = "sender not in ('', $3) and ($6::boolean or sender = $5::text)";

const REACT: Statement<{ message_id: number }> = {
  name: "message_react",
  text: `with others as (
      select sender, at from message_reactions where message_id = $2 and ${underAnotherAddress}),
    gone as (
      delete from message_reactions r using others o where r.company_id = $1 and r.message_id = $2 and r.sender = o.sender and r.at <= $4)
    insert into message_reactions (company_id, message_id, sender, sender_name, emoji, at)
    select $1, $2, $3, $7, $8, $4 where not exists (select from others where at > $4)
    on conflict (message_id, sender) do update set emoji = excluded.emoji, sender_name = excluded.sender_name, at = excluded.at
      where message_reactions.at <= excluded.at
    returning message_id`,
};

const UNREACT: Statement<{ message_id: number }> = {
  name: "message_unreact",
  text: `delete from message_reactions where company_id = $1 and message_id = $2 and (sender = $3 or ${underAnotherAddress}) and at <= $4
    returning message_id`,
};

const TOUCH: Statement<never> = {
  name: "message_touch",
  text: `update messages set version = version + 1 where company_id = $1 and id = $2`,
};

export interface Reaction {
  /** Empty removes the reaction. */
  readonly emoji: string;
  /** Empty for the company, which is one account on WhatsApp. */
  readonly sender: string;
  readonly senderName: string;
  readonly at: Date;
  /** The same person's other address, under which an earlier reaction may be stored. */
  readonly alias?: string | null;
  /** Is nobody in the chat besides this person and the company? */
  readonly isOneToOne?: boolean;
}

/** Stores the one reaction of a person; an older one never replaces a newer one. False if nothing changes. */
export async function saveReaction(ctx: Ctx, id: number, reaction: Reaction): Promise<boolean> {
  const { emoji, sender, senderName, at, alias = null, isOneToOne = false } = reaction;
  const ofPerson = [ctx.companyId, id, sender, at, alias, isOneToOne && sender !== ""];
  const rows = emoji === "" ? await ctx.raw(UNREACT, ofPerson) : await ctx.raw(REACT, [...ofPerson, senderName, emoji]);
  if (rows.length === 0) {
    return false;
  }
  await ctx.raw(TOUCH, [ctx.companyId, id]);
  return true;
}

/** The chat in which a change was made: a group id, or all known addresses of a person. */
export interface ChatAddresses {
  readonly groupId: string | null;
  readonly phone: string | null;
  readonly lid: string | null;
}

/**
 * The target is searched in the chat of the change only: a message of another chat may have the same id, or somebody may send
 * a guessed one. The chat is matched by each address of the change, because a person may have a phone number and a LID.
 */
const FIND_TARGETS: Statement<ChangeTarget & { readonly n: number }> = {
  name: "message_change_targets",
  text: `select w.n, m.id, m.ticket_id as "ticketId", m.from_me as "fromMe", m.is_stub as "isPlaceholder", m.participant
    from jsonb_to_recordset($3::jsonb) as w(n int, wa_id text, from_me boolean, group_id text, phone text, lid text)
    join messages m on m.connection_id = $2 and m.wa_id = w.wa_id and m.from_me = w.from_me
    join contacts c on c.id = m.contact_id
    where m.company_id = $1 and ((c.number = w.phone and not c.is_group) or exists (
      select from contact_identifiers i where i.connection_id = $2 and i.contact_id = m.contact_id
        and (i.kind, i.value) in (('group', w.group_id), ('phone', w.phone), ('lid', w.lid))))`,
};

export interface ChangeTarget {
  readonly id: number;
  readonly ticketId: number;
  readonly fromMe: boolean;
  readonly isPlaceholder: boolean;
  /** The author, in a group. */
  readonly participant: Author | null;
}

/** Finds the target messages of changes, by the index of the change in the list. */
export async function findChangeTargets(
  ctx: Ctx,
  connectionId: number,
  changes: readonly { readonly waId: string; readonly fromMe: boolean; readonly chat: ChatAddresses }[],
): Promise<ReadonlyMap<number, ChangeTarget>> {
  if (changes.length === 0) {
    return new Map();
  }
  const wanted = changes.map(({ waId, fromMe, chat: { groupId, phone, lid } }, n) => {
    return { n, wa_id: waId, from_me: fromMe, group_id: groupId, phone, lid };
  });
  const found = await ctx.raw(FIND_TARGETS, [ctx.companyId, connectionId, JSON.stringify(wanted)]);
  return new Map(found.map((target) => [target.n, target]));
}
