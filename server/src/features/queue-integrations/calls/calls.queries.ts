import { integrationRules, pageSize } from "@prosa/contract";
import type { IntegrationCall } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import { noAnswerInTime } from "#server/platform/net/index.ts";
import type {} from "./calls.tables.ts";

export type CallRow = Omit<IntegrationCall, "createdAt"> & { readonly createdAt: Date };

const columns = `c.id, c.integration_id as "integrationId", c.delivery_id as "deliveryId", c.ticket_id as "ticketId", c.state,
  c.attempts, c.status, c.error, c.answer, c.duration_ms as "durationMs", c.created_at as "createdAt"`;

const PAGE: Statement<CallRow> = {
  name: "integration_calls_page",
  text: `select ${columns} from integration_calls c
    where c.company_id = $1 and c.integration_id = $2 order by c.id desc limit $4 offset $3`,
};

/** A page of the calls, the newest first, and one more row where there are more. */
export async function findCallPage(ctx: Ctx, integrationId: number, pageNumber: number): Promise<CallRow[]> {
  const size = pageSize.others;
  return ctx.raw(PAGE, [ctx.companyId, integrationId, (pageNumber - 1) * size, size + 1]);
}

const FIND: Statement<CallRow & { readonly request: string }> = {
  name: "integration_call_find",
  text: `select ${columns}, c.request from integration_calls c
    where c.company_id = $1 and c.integration_id = $2 and c.id = $3`,
};

export async function findCall(
  ctx: Ctx,
  integrationId: number,
  id: number,
): Promise<(CallRow & { readonly request: string }) | undefined> {
  const [row] = await ctx.raw(FIND, [ctx.companyId, integrationId, id]);
  return row;
}

export interface NewCall {
  readonly integrationId: number;
  readonly deliveryId: string;
  readonly ticketId: number;
  readonly request: string;
}

/** A call that is about to be made: one of a turn that is repeated has the request and the reply of the first time. */
export interface OpenCall {
  readonly id: number;
  readonly request: string;
  readonly reply: unknown;
}

const OPEN: Statement<OpenCall> = {
  name: "integration_call_open",
  text: `insert into integration_calls as c (company_id, integration_id, delivery_id, ticket_id, request, attempts, created_at)
    values ($1, $2, $3, $4, $5, 1, $6)
    on conflict (integration_id, delivery_id) do update
      set attempts = c.attempts + 1, status = case when c.state <> 'waiting' then c.status end
    returning c.id, c.request, c.reply`,
};

export async function openCall(ctx: Ctx, call: NewCall): Promise<OpenCall> {
  const { integrationId, deliveryId, ticketId, request } = call;
  const [row] = await ctx.raw(OPEN, [ctx.companyId, integrationId, deliveryId, ticketId, request, ctx.now()]);
  return row!;
}

const REPLIED: Statement<{ readonly deliveryId: string; readonly reply: unknown }> = {
  name: "integration_call_replied",
  text: `select delivery_id as "deliveryId", reply from integration_calls
    where company_id = $1 and integration_id = $2 and delivery_id = any($3::uuid[]) and reply is not null
    order by id desc limit 1`,
};

/** The newest reply to one of these turns. */
export async function findReplied(
  ctx: Ctx,
  integrationId: number,
  deliveryIds: readonly string[],
): Promise<{ readonly deliveryId: string; readonly reply: unknown } | undefined> {
  const [row] = await ctx.raw(REPLIED, [ctx.companyId, integrationId, deliveryIds]);
  return row;
}

/** What came of a call. */
export interface Outcome {
  readonly state: IntegrationCall["state"];
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly durationMs: number;
  /** Left out: the reply stays. */
  readonly reply?: object;
}

const SAVE: Statement<never> = {
  name: "integration_call_save",
  text: `update integration_calls set state = $3, status = $4, error = $5, answer = $6, duration_ms = $7,
      reply = coalesce($8::jsonb, reply), answered_at = $9
    where company_id = $1 and id = $2`,
};

export async function saveOutcome(ctx: Ctx, id: number, outcome: Outcome): Promise<void> {
  const { state, status, error, answer, durationMs, reply } = outcome;
  const kept = reply === undefined ? null : JSON.stringify(reply);
  await ctx.raw(SAVE, [ctx.companyId, id, state, status, error, answer, durationMs, kept, ctx.now()]);
}

const RESET: Statement<CallRow> = {
  name: "integration_call_reset",
  text: `update integration_calls c set state = 'waiting', attempts = attempts + 1, answered_at = $4
    where c.company_id = $1 and c.integration_id = $2 and c.id = $3 returning ${columns}`,
};

/** Makes a call wait again, with its request. Undefined where it is not there. */
export async function resetCall(ctx: Ctx, integrationId: number, id: number): Promise<CallRow | undefined> {
  const [row] = await ctx.raw(RESET, [ctx.companyId, integrationId, id, ctx.now()]);
  return row;
}

const batchSize = 5_000;

/** A call of an answer or a replay is over by now (ms), or its process was killed and nobody asked again. */
const longestWaitMs = 3_600_000;

/** Forgets old calls, and ends those that nobody waits for any more, so that they can be sent again. Of all companies. */
export async function pruneCalls(db: Db, now: Date): Promise<void> {
  const waitedSince = new Date(now.getTime() - longestWaitMs);
  await sql`
    update integration_calls set state = 'failed', error = coalesce(error, ${noAnswerInTime}),
      answered_at = coalesce(answered_at, created_at)
    where state = 'waiting' and coalesce(answered_at, created_at) < ${waitedSince}`.execute(db.system);
  const before = new Date(now.getTime() - integrationRules.keptDays * 86_400_000);
  for (;;) {
    const { rows } = await sql`
      delete from integration_calls where id in (
        select id from integration_calls where created_at < ${before} order by created_at limit ${batchSize})
      returning id`.execute(db.system);
    if (rows.length < batchSize) {
      return;
    }
  }
}
