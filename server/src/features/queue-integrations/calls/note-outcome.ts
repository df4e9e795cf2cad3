import type { Ctx } from "#server/platform/ctx.ts";
import { saveOutcome } from "./calls.queries.ts";
import type { Outcome } from "./calls.queries.ts";
import { findHealth } from "./health.queries.ts";
import type { IntegrationHealth } from "./health.queries.ts";

/** While nothing changes but the time of the last answer, the list of integrations is told once in this time (ms). */
const toldEveryMs = 60_000;

/** Stores what came of a call, and tells the list of integrations where it shows another state now. */
export async function noteOutcome(ctx: Ctx, integrationId: number, callId: number, outcome: Outcome): Promise<void> {
  const before = (await findHealth(ctx, [integrationId])).get(integrationId);
  await saveOutcome(ctx, callId, outcome);
  if (isNews(before, outcome, ctx.now())) {
    tellList(ctx, integrationId);
  }
}

/** Stores that the system wants to be asked later: the call waits, which is no failure to show. */
export async function notePause(ctx: Ctx, callId: number, outcome: Omit<Outcome, "state">): Promise<void> {
  await saveOutcome(ctx, callId, { ...outcome, state: "waiting" });
}

/** Stores what came of a call that somebody sent again by hand, and tells the list. */
export async function noteReplay(ctx: Ctx, integrationId: number, callId: number, outcome: Outcome): Promise<void> {
  await saveOutcome(ctx, callId, outcome);
  tellList(ctx, integrationId);
}

function tellList(ctx: Ctx, integrationId: number): void {
  ctx.emit({ type: "queueIntegration.updated", payload: { integrationId } });
}

function isNews(before: IntegrationHealth | undefined, { state, error }: Outcome, now: Date): boolean {
  if (state === "failed") {
    return before?.failure?.error !== error;
  }
  const { lastWorkedAt = null, failure = null, remark = null } = before ?? {};
  return failure !== null || remark !== error || !lastWorkedAt || now.getTime() - lastWorkedAt.getTime() >= toldEveryMs;
}
