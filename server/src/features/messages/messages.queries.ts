import type { MediaType, Message } from "@prosa/contract";
import { connectionIdSql } from "#server/features/connections/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Address, PersonRef } from "#server/whatsapp/port.ts";

export type ChangeFailure = NonNullable<Message["changeFailure"]>;

/** A message as the service functions need it. */
export interface MessageRow {
  readonly id: number;
  readonly ticketId: number;
  readonly contactId: number;
  readonly connectionId: number | null;
  readonly waId: string;
  readonly fromMe: boolean;
  readonly ack: number;
  readonly mediaType: MediaType;
  readonly body: string;
  readonly isDeleted: boolean;
  readonly isPlaceholder: boolean;
  readonly sentAt: Date;
  readonly changeFailure: ChangeFailure | null;
  /** The author, in a group. */
  readonly participant: PersonRef | null;
}

const columns = `m.id, m.ticket_id as "ticketId", m.contact_id as "contactId", ${connectionIdSql("m")} as "connectionId",
  m.wa_id as "waId", m.from_me as "fromMe", m.ack, m.media_type as "mediaType", m.body, m.is_deleted as "isDeleted",
  m.is_stub as "isPlaceholder", m.sent_at as "sentAt", m.change_failure as "changeFailure", m.participant`;

const FIND_MESSAGE: Statement<MessageRow> = {
  name: "message_find",
  text: `select ${columns} from messages m where m.company_id = $1 and m.id = $2`,
};

const LOCK_MESSAGE: Statement<MessageRow> = {
  name: "message_lock",
  text: `select ${columns} from messages m where m.company_id = $1 and m.id = $2 for no key update`,
};

/** ERR_NO_MESSAGE_FOUND if the company has no such message. */
export async function findMessage(ctx: Ctx, id: number): Promise<MessageRow> {
  return present(await ctx.raw(FIND_MESSAGE, [ctx.companyId, id]));
}

/** Like `findMessage`, and locks the row. Lock its ticket first: the lock order is ticket, then message. */
export async function lockMessage(ctx: Ctx, id: number): Promise<MessageRow> {
  return present(await ctx.raw(LOCK_MESSAGE, [ctx.companyId, id]));
}

function present([message]: MessageRow[]): MessageRow {
  if (!message) {
    throw new AppError("ERR_NO_MESSAGE_FOUND");
  }
  return message;
}

// An alias is the number of a contact that was merged into this one: it leads here, and is not where the person is written to.
const CHAT_ADDRESS: Statement<Address> = {
  name: "chat_address",
  text: `select kind, value from (
      select kind, value, is_alias from contact_identifiers where company_id = $1 and connection_id = $2 and contact_id = $3
      union all
      select 'phone', number, false from contacts where company_id = $1 and id = $3 and number is not null and not is_group) a
    order by is_alias, kind desc, value limit 1`,
};

/** The address to which a line sends: the contact's own phone number if known, else the LID; of a group its id. */
export async function findAddress(ctx: Ctx, connectionId: number, contactId: number): Promise<Address | undefined> {
  const [address] = await ctx.raw(CHAT_ADDRESS, [ctx.companyId, connectionId, contactId]);
  return address;
}

interface TicketAssignment {
  readonly id: number;
  readonly userId: number | null;
  readonly queueId: number | null;
}

const FIND_ASSIGNMENTS: Statement<TicketAssignment> = {
  name: "ticket_assignments",
  text: `select id, user_id as "userId", queue_id as "queueId" from tickets where company_id = $1 and id = any($2::int[])`,
};

/** User and queue of tickets, which decide who may see them. */
export async function findTicketAssignments(ctx: Ctx, ticketIds: readonly number[]): Promise<TicketAssignment[]> {
  return ctx.raw(FIND_ASSIGNMENTS, [ctx.companyId, ticketIds]);
}
