import type { Ctx } from "#server/platform/ctx.ts";
import { restoreSessions, snapshotSessions } from "./answer/index.ts";
import type { SessionSnapshot } from "./answer/index.ts";
import { restoreCalls, snapshotCalls } from "./calls/index.ts";
import type { CallSnapshot } from "./calls/index.ts";

/** What the conversations of a contact have of integrations before a merge: JSON. */
export interface IntegrationsSnapshot {
  readonly calls: readonly CallSnapshot[];
  readonly sessions: readonly SessionSnapshot[];
}

/** Takes the snapshot that `undoIntegrationMerge` needs. */
export async function snapshotIntegrations(ctx: Ctx, contactId: number): Promise<IntegrationsSnapshot> {
  return { calls: await snapshotCalls(ctx, contactId), sessions: await snapshotSessions(ctx, contactId) };
}

/** Undoes `moveCallsOfTicket` and `takeOverSession`, once the tickets are back. */
export async function undoIntegrationMerge(ctx: Ctx, { calls, sessions }: IntegrationsSnapshot): Promise<void> {
  await restoreCalls(ctx, calls);
  await restoreSessions(ctx, sessions);
}
