import { z } from "zod";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { IntegrationError, postSigned } from "../protocols/index.ts";
import { openCalled } from "../called-integration.ts";
import { createCaller } from "./call-system.ts";
import { findCall } from "./calls.queries.ts";
import { noteReplay } from "./note-outcome.ts";

export const REPLAY_TASK = "queue-integrations.replay";
const payload = z.object({ integrationId: z.number().int(), callId: z.number().int() });

export function enqueueReplay(ctx: Ctx, integrationId: number, callId: number): void {
  const key = `integration-replay:${callId}`;
  ctx.enqueue({ task: REPLAY_TASK, payload: { integrationId, callId }, lane: key, key, priority: "notice" });
}

/** Job: sends a call again, the same bytes under the same id. What is answered is noted, and nobody is told: the talk has gone on. */
export function replayCall({ vault, config }: Services, timeoutMs?: number): JobHandler {
  return async (job, { inCompany, clock, signal }) => {
    const { integrationId, callId } = payload.parse(job.payload);
    const found = await inCompany(async (ctx) => {
      const [integration, call] = [
        await openCalled(ctx, vault, integrationId),
        await findCall(ctx, integrationId, callId),
      ];
      return integration && call?.state === "waiting" ? { integration, call } : undefined;
    });
    if (!found) {
      return;
    }
    const { integration, call } = found;
    const { mayBePrivate } = config.webhooks;
    const { caller, facts } = createCaller({ mayBePrivate, signal, ...(timeoutMs !== undefined && { timeoutMs }) });
    let error: string | null = null;
    try {
      await postSigned(call.request, call.deliveryId)({ integration, at: clock.now() }, caller);
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof IntegrationError)) {
        throw failure;
      }
      error = failure.message;
    }
    const state = error === null ? "delivered" : "failed";
    await inCompany((ctx) => noteReplay(ctx, integrationId, callId, { ...facts(), state, error }));
  };
}
