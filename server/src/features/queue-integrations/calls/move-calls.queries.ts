import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** The ids of the calls of one ticket before a merge. */
export interface CallSnapshot {
  readonly ticketId: number;
  readonly ids: readonly number[];
}

const SNAPSHOT: Statement<CallSnapshot> = {
  name: "integration_calls_snapshot",
  text: `select c.ticket_id as "ticketId", json_agg(c.id order by c.id) as ids
    from integration_calls c join tickets t on t.company_id = $1 and t.id = c.ticket_id
    where c.company_id = $1 and t.contact_id = $2 group by c.ticket_id`,
};

/** Takes the snapshot of the calls of a contact's conversations that `restoreCalls` needs. */
export async function snapshotCalls(ctx: Ctx, contactId: number): Promise<CallSnapshot[]> {
  return ctx.raw(SNAPSHOT, [ctx.companyId, contactId]);
}

const MOVE: Statement<never> = {
  name: "integration_calls_move",
  text: "update integration_calls set ticket_id = $3 where company_id = $1 and ticket_id = $2",
};

/** Calls name the ticket that stays, by which an erasure of its contact finds them: no key of the database does that. */
export async function moveCallsOfTicket(ctx: Ctx, { from, into }: MergedTicket): Promise<void> {
  await ctx.raw(MOVE, [ctx.companyId, from, into]);
}

const RESTORE: Statement<never> = {
  name: "integration_calls_restore",
  text: "update integration_calls set ticket_id = $2 where company_id = $1 and id = any($3::int[]) and ticket_id <> $2",
};

/** Undoes `moveCallsOfTicket` for the calls of these snapshots. */
export async function restoreCalls(ctx: Ctx, snapshots: readonly CallSnapshot[]): Promise<void> {
  for (const { ticketId, ids } of snapshots) {
    await ctx.raw(RESTORE, [ctx.companyId, ticketId, ids]);
  }
}
