import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { EventWatcher } from "#server/platform/feature.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { insertDeliveries } from "../webhooks.queries.ts";
import { enqueueDeliveries } from "./deliver.jobs.ts";
import { mayTell } from "./may-tell.ts";
import { findCompaniesWithEvents, findSubscriptions, takeEvents } from "./deliver.queries.ts";
import { outgoingEventsOf } from "./payloads.ts";

export const FAN_OUT_TASK = "webhooks.fan-out";

const batchSize = 100;

/** One at a time for a company, so that the deliveries are made in the order of the events. */
const fanOutJob = (companyId: number): NewJob => ({
  task: FAN_OUT_TASK,
  payload: {},
  lane: `webhooks:${companyId}`,
  key: `webhooks:${companyId}`,
  priority: "notice",
});

/** Job: makes deliveries of the events in a company's outbox. Each batch leaves it in the transaction that stores its deliveries. */
export function fanOut(media: MediaLinks): JobHandler {
  return async (_job, { inCompany, signal }) => {
    for (;;) {
      signal.throwIfAborted();
      const taken = await inCompany((ctx) => fanOutBatch(ctx, media));
      if (taken < batchSize) {
        return;
      }
    }
  };
}

async function fanOutBatch(ctx: Ctx, media: MediaLinks): Promise<number> {
  const events = await takeEvents(ctx, batchSize);
  // What happens while a company is not served is told to nobody, then or later.
  const endpoints = events.length > 0 && (await mayTell(ctx)) ? await findSubscriptions(ctx) : [];
  if (endpoints.length > 0) {
    const outgoing = await outgoingEventsOf(ctx, media, events);
    const deliveries = outgoing.flatMap(({ webhookId, type, subject, body }) =>
      endpoints
        .filter((endpoint) => endpoint.events.includes(type))
        .map(({ id: endpointId }) => ({ endpointId, webhookId, type, subject, body })),
    );
    enqueueDeliveries(ctx, await insertDeliveries(ctx, deliveries));
  }
  return events.length;
}

/** The time in which the events of a company wake the job once. */
const gatherMs = 100;

/**
 * Watches the events that endpoints may ask for, and enqueues the job that makes deliveries of them, in whatever process hears
 * of them. Only for companies with an endpoint that is on.
 */
export function createFanOutWake({ db, clock, log }: Services): EventWatcher {
  /** Companies woken within the time, and whether something happened there since. */
  const woken = new Map<number, boolean>();

  async function wake(companyId: number): Promise<void> {
    const scope = { actor: { kind: "system", companyId, reason: "webhooks" }, companyId, clock, log } as const;
    if (await db.cached(scope, isSubscribed)) {
      await db.inCompany(scope, async (ctx) => ctx.enqueue(fanOutJob(companyId)));
    }
  }

  function begin(companyId: number): void {
    woken.set(companyId, false);
    void wake(companyId).catch((error: unknown) => log.warn({ err: error, companyId }, "webhooks wait for their cron"));
    setTimeout(() => {
      const isAgain = woken.get(companyId) === true;
      woken.delete(companyId);
      if (isAgain) {
        begin(companyId);
      }
    }, gatherMs).unref();
  }

  return ({ companyId }) => (woken.has(companyId) ? void woken.set(companyId, true) : begin(companyId));
}

const isSubscribed = {
  name: "webhooks",
  staleAfter: ["webhook.created", "webhook.updated", "webhook.deleted"],
  load: async (ctx: Ctx) => (await findSubscriptions(ctx)).length > 0,
};

/** What a process that died between an event and its wake-up left in the outbox. */
export async function enqueueForgotten(db: Db): Promise<void> {
  const companies = await findCompaniesWithEvents(db);
  if (companies.length > 0) {
    await db.systemTx(async (tx) => companies.forEach((companyId) => tx.enqueue(companyId, fanOutJob(companyId))));
  }
}
