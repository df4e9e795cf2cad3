import { sql } from "kysely";
import { z } from "zod";
import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import { contextMs, dialogflowContext } from "../protocols/index.ts";
import type { Session } from "../protocols/index.ts";

/** Whose session: a new episode, or another integration, begins anew. */
interface SessionOwner {
  readonly ticketId: number;
  readonly integrationId: number;
  readonly episodeId: number | null;
}

interface SessionRow {
  readonly id: string;
  readonly menu: unknown;
  readonly question: string | null;
  readonly contexts: unknown;
  readonly usedAt: Date;
}

const FIND: Statement<SessionRow> = {
  name: "typebot_session_find",
  text: `select session_id as id, choices as menu, question, contexts, used_at as "usedAt" from typebot_sessions
    where company_id = $1 and ticket_id = $2 and integration_id = $3 and episode_id is not distinct from $4`,
};

const menu = z
  .object({ choices: z.array(z.string()), isMultiple: z.boolean() })
  .catch({ choices: [], isMultiple: false });

const kept = z.array(dialogflowContext).nullable().catch(null);

export async function findSession(ctx: Ctx, owner: SessionOwner): Promise<Session | null> {
  const { ticketId, integrationId, episodeId } = owner;
  const [row] = await ctx.raw(FIND, [ctx.companyId, ticketId, integrationId, episodeId]);
  if (!row) {
    return null;
  }
  const { id, question, usedAt } = row;
  return { id, question, usedAt, contexts: kept.parse(row.contexts), ...menu.parse(row.menu) };
}

const INTERRUPTED: Statement<{ readonly found: boolean }> = {
  name: "integration_call_interrupted",
  text: `select exists (select from integration_calls where company_id = $1 and ticket_id = $2 and integration_id = $3
      and reply is null and not (state = 'waiting' and status is not distinct from 429) and created_at >= coalesce($4, '-infinity'::timestamptz)) as found`,
};

/** Whether a call since the last answer brought none: the other system may have gone on all the same, but where it refused it for now. */
export async function wasInterrupted(ctx: Ctx, owner: SessionOwner, session: Session | null): Promise<boolean> {
  const { ticketId, integrationId } = owner;
  const [row] = await ctx.raw(INTERRUPTED, [ctx.companyId, ticketId, integrationId, session?.usedAt ?? null]);
  return row?.found ?? false;
}

const SAVE: Statement<never> = {
  name: "typebot_session_save",
  text: `insert into typebot_sessions (company_id, ticket_id, integration_id, episode_id, session_id, choices, used_at, question, contexts)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (company_id, ticket_id) do update set integration_id = excluded.integration_id, episode_id = excluded.episode_id,
      session_id = excluded.session_id, choices = excluded.choices, used_at = excluded.used_at,
      question = excluded.question, contexts = excluded.contexts`,
};

const DELETE: Statement<never> = {
  name: "typebot_session_delete",
  text: "delete from typebot_sessions where company_id = $1 and ticket_id = $2",
};

/** Null: the conversation at the other system is over. */
export async function saveSession(ctx: Ctx, owner: SessionOwner, session: Session | null): Promise<void> {
  const { ticketId, integrationId, episodeId } = owner;
  if (session === null) {
    await ctx.raw(DELETE, [ctx.companyId, ticketId]);
    return;
  }
  const { id, choices, isMultiple, question, contexts, usedAt } = session;
  const state = [JSON.stringify({ choices, isMultiple }), usedAt, question, contexts && JSON.stringify(contexts)];
  await ctx.raw(SAVE, [ctx.companyId, ticketId, integrationId, episodeId, id, ...state]);
}

const TAKE_OVER: Statement<never> = {
  name: "typebot_session_take_over",
  text: `update typebot_sessions s set ticket_id = t.id, episode_id = t.episode_id from tickets t
    where s.company_id = $1 and s.ticket_id = $2 and t.company_id = $1 and t.id = $3`,
};

/** The flow goes on in the episode that runs in a ticket where it was in the one that is merged into it. */
export async function takeOverSession(ctx: Ctx, { from, into }: MergedTicket): Promise<void> {
  await ctx.raw(DELETE, [ctx.companyId, into]);
  await ctx.raw(TAKE_OVER, [ctx.companyId, from, into]);
}

/** The session of a ticket before a merge. */
export interface SessionSnapshot {
  readonly ticketId: number;
  readonly sessionId: string;
}

const SNAPSHOT: Statement<SessionSnapshot> = {
  name: "typebot_sessions_snapshot",
  text: `select s.ticket_id as "ticketId", s.session_id as "sessionId"
    from typebot_sessions s join tickets t on t.company_id = $1 and t.id = s.ticket_id
    where s.company_id = $1 and t.contact_id = $2 and s.episode_id is not distinct from t.episode_id`,
};

/** Takes the snapshot of the sessions of a contact's conversations that `restoreSessions` needs. */
export async function snapshotSessions(ctx: Ctx, contactId: number): Promise<SessionSnapshot[]> {
  return ctx.raw(SNAPSHOT, [ctx.companyId, contactId]);
}

const RESTORE: Statement<never> = {
  name: "typebot_session_restore",
  text: `update typebot_sessions s set ticket_id = t.id, episode_id = t.episode_id from tickets t
    where s.company_id = $1 and s.session_id = $3 and s.ticket_id <> $2 and t.company_id = $1 and t.id = $2`,
};

/** Undoes `takeOverSession` for these sessions, unless they are over. */
export async function restoreSessions(ctx: Ctx, snapshots: readonly SessionSnapshot[]): Promise<void> {
  for (const { ticketId, sessionId } of snapshots) {
    await ctx.raw(RESTORE, [ctx.companyId, ticketId, sessionId]);
  }
}

const batchSize = 5_000;

/** Forgets the contexts that have expired at Google, of all companies: they hold what customers said of themselves. */
export async function forgetContexts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - contextMs);
  for (;;) {
    const { rows } = await sql`
      update typebot_sessions s set contexts = null from (
        select company_id, ticket_id from typebot_sessions where contexts is not null and used_at <= ${before}
        order by used_at limit ${batchSize} for update skip locked) old
      where s.company_id = old.company_id and s.ticket_id = old.ticket_id
      returning s.ticket_id`.execute(db.system);
    if (rows.length < batchSize) {
      return;
    }
  }
}
