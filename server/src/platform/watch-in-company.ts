import type { Ctx } from "./ctx.ts";
import type { EventWatcher } from "./feature.ts";
import type { Services } from "./services.ts";

/**
 * A watcher that does `work` in a transaction of the event's company and then `afterwards`, one event after the other: the operator's may
 * concern every company at once, and so many lines may come back. Each process that follows the event log does it, so the work must be
 * harmless when it is repeated. A failure is logged with `consequence` and not tried again: whatever waits must also look by itself at some time.
 */
export function watchInCompany(
  { db, clock, log }: Services,
  work: (ctx: Ctx, payload: unknown) => Promise<void>,
  consequence: string,
  afterwards: () => void = () => undefined,
): EventWatcher {
  let last = Promise.resolve();
  return ({ companyId, type, payload }) => {
    const actor = { kind: "system", companyId, reason: type } as const;
    last = last
      .then(() => db.inCompany({ actor, companyId, clock, log, retry: true }, (ctx) => work(ctx, payload)))
      .then(afterwards)
      .catch((error: unknown) => log.warn({ err: error, type, companyId }, consequence));
  };
}
