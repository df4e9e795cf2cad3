import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./schedules.tables.ts";

const OF_CONTACT: Statement<{ id: number }> = {
  name: "schedules_of_contact",
  text: `select id from schedules where company_id = $1 and contact_id = $2 order by id`,
};

/** The ids of a contact's schedules. */
export async function findIdsOfContact(ctx: Ctx, contactId: number): Promise<number[]> {
  return (await ctx.raw(OF_CONTACT, [ctx.companyId, contactId])).map(({ id }) => id);
}

const MOVE: Statement<{ id: number }> = {
  name: "schedules_move",
  text: `update schedules set contact_id = $3 where company_id = $1 and id = any($2::int[]) returning id`,
};

/** Gives schedules to another contact. Returns those that exist still. */
export async function setContact(ctx: Ctx, ids: readonly number[], contactId: number): Promise<number[]> {
  return (await ctx.raw(MOVE, [ctx.companyId, ids, contactId])).map(({ id }) => id);
}

const OF_MESSAGES: Statement<{ id: number }> = {
  name: "schedules_of_messages",
  text: `select s.id from messages m join schedules s on s.company_id = m.company_id and s.client_id = split_part(m.client_id, ':', 1)
    where m.company_id = $1 and m.id = any($2::bigint[]) and m.client_id like 'schedule-%'`,
};

/** The ids of the schedules that these messages were sent from. */
export async function findIdsOfMessages(ctx: Ctx, messageIds: readonly number[]): Promise<number[]> {
  return (await ctx.raw(OF_MESSAGES, [ctx.companyId, messageIds])).map(({ id }) => id);
}

const FAILED: Statement<{ id: number }> = {
  name: "schedules_failed_messages",
  text: `select id from messages where company_id = $1 and client_id = any($2::text[]) and ack = -1 order by id`,
};

/** The failed messages of a schedule, by its client id. */
export async function findFailedMessages(ctx: Ctx, clientId: string): Promise<number[]> {
  return (await ctx.raw(FAILED, [ctx.companyId, [clientId, `${clientId}:1`]])).map(({ id }) => id);
}
