import { z } from "zod";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
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
  readonly usedAt: Date;
}

const FIND: Statement<SessionRow> = {
  name: "typebot_session_find",
  text: `select session_id as id, choices as menu, used_at as "usedAt" from typebot_sessions
    where company_id = $1 and ticket_id = $2 and integration_id = $3 and episode_id is not distinct from $4`,
};

const menu = z
  .object({ choices: z.array(z.string()), isMultiple: z.boolean() })
  .catch({ choices: [], isMultiple: false });

export async function findSession(ctx: Ctx, owner: SessionOwner): Promise<Session | null> {
  const { ticketId, integrationId, episodeId } = owner;
  const [row] = await ctx.raw(FIND, [ctx.companyId, ticketId, integrationId, episodeId]);
  return row ? { id: row.id, usedAt: row.usedAt, ...menu.parse(row.menu) } : null;
}

const SAVE: Statement<never> = {
  name: "typebot_session_save",
  text: `insert into typebot_sessions (company_id, ticket_id, integration_id, episode_id, session_id, choices, used_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (company_id, ticket_id) do update set integration_id = excluded.integration_id, episode_id = excluded.episode_id,
      session_id = excluded.session_id, choices = excluded.choices, used_at = excluded.used_at`,
};

const DELETE: Statement<never> = {
  name: "typebot_session_delete",
  text: "delete from typebot_sessions where company_id = $1 and ticket_id = $2",
};

/** Null: the conversation at Typebot is over. */
export async function saveSession(ctx: Ctx, owner: SessionOwner, session: Session | null): Promise<void> {
  const { ticketId, integrationId, episodeId } = owner;
  if (session === null) {
    await ctx.raw(DELETE, [ctx.companyId, ticketId]);
    return;
  }
  const { id, choices, isMultiple, usedAt } = session;
  const kept = JSON.stringify({ choices, isMultiple });
  await ctx.raw(SAVE, [ctx.companyId, ticketId, integrationId, episodeId, id, kept, usedAt]);
}
