import { z } from "zod";
import { lineLimitChanged } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { EventWatcher } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";

const payload = z.object({ connectionId: z.number().int() });

/**
 * Watchers that do `work` in the line's company when what WhatsApp limits the line to has changed or ended, so that what is held
 * goes on within a second. Each process that follows the event log does it, so the work must be harmless when it is repeated.
 */
export function whenLimitChanges(
  { db, clock, log }: Services,
  work: (ctx: Ctx, connectionId: number) => Promise<void>,
): Readonly<Record<string, EventWatcher>> {
  async function run(companyId: number, connectionId: number): Promise<void> {
    const actor = { kind: "system", companyId, reason: "line limit changed" } as const;
    await db.inCompany({ actor, companyId, clock, log }, (ctx) => work(ctx, connectionId));
    db.listenNotify.notify({ jobs: true });
  }
  return {
    [lineLimitChanged]: ({ companyId, payload: said }) => {
      // Held work looks again by itself a while later.
      run(companyId, payload.parse(said).connectionId).catch((error: unknown) => {
        log.warn({ err: error }, "held messages not woken");
      });
    },
  };
}
