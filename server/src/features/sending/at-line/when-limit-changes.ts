import { z } from "zod";
import { timeZoneChanged } from "#server/features/companies/index.ts";
import { lineLimitChanged } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { EventWatcher } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import { watchInCompany } from "#server/platform/watch-in-company.ts";
import { sendingRulesSaved } from "../sending.events.ts";

const payload = z.object({ connectionId: z.number().int() });

type Watchers = Readonly<Record<string, EventWatcher>>;

/**
 * Watchers that do `work` in the line's company when what WhatsApp limits the line to has changed or ended, so that what is held
 * goes on within a second. Each process that follows the event log does it, so the work must be harmless when it is repeated.
 */
export function whenLimitChanges(
  services: Services,
  work: (ctx: Ctx, connectionId: number) => Promise<void>,
): Watchers {
  return wakers(services, lineLimitChanged, (ctx, said) => work(ctx, payload.parse(said).connectionId));
}

/**
 * The same when other hours or caps were saved for the company's lines, another plan of warming up for all, or another time zone, whose hours and
 * days they are: what is held waits until a time that is no longer right.
 */
export function whenRulesAreSaved(services: Services, work: (ctx: Ctx) => Promise<void>): Watchers {
  return { ...wakers(services, sendingRulesSaved.type, work), ...wakers(services, timeZoneChanged.type, work) };
}

function wakers(services: Services, type: string, work: (ctx: Ctx, payload: unknown) => Promise<void>): Watchers {
  // Messages look again by themselves within the minute, campaigns and schedules when what held them would have ended.
  const consequence = "held messages not woken";
  // The work makes jobs due that it has not enqueued.
  const wakeJobs = () => services.db.listenNotify.notify({ jobs: true });
  return { [type]: watchInCompany(services, work, consequence, wakeJobs) };
}
