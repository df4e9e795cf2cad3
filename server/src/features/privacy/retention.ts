import type { Retention, RetentionChanges } from "@prosa/contract";
import { expiredMessages, previewExpired } from "#server/features/messages/index.ts";
import { queuesOf, updateQueue } from "#server/features/queues/index.ts";
import { saveSetting, settingOf } from "#server/features/settings/index.ts";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cron } from "#server/platform/jobs/index.ts";
import { enqueueFileDeletion } from "./erase-contact.jobs.ts";
import { findCompanies, noteDeleted, takeDeleted } from "./retention.queries.ts";

/** Messages of one transaction. */
const batch = 100;
/** Messages that one night deletes in a company at most; the next night goes on. */
const mostPerNight = 50_000;

/** How many days resolved conversations are kept (V-02). */
export async function readRetention(ctx: Ctx): Promise<Retention> {
  const queues = await queuesOf(ctx);
  return {
    companyDays: await companyDaysOf(ctx),
    queues: queues.map(({ id, name, retentionDays }) => ({ id, name, days: retentionDays })),
  };
}

/** How many messages and files these days would delete now; what is not named keeps its days. */
export async function previewRetention(ctx: Ctx, { companyDays, queues }: RetentionChanges) {
  const saved = await readRetention(ctx);
  const given = new Map(queues.map(({ id, days }) => [id, days]));
  return previewExpired(ctx, {
    companyDays: companyDays === undefined ? saved.companyDays : companyDays,
    queues: saved.queues.map(({ id, days }) => ({ id, days: given.has(id) ? given.get(id)! : days })),
  });
}

/** Changes the days that are named. Throws ERR_NO_QUEUE_FOUND. */
export async function saveRetention(ctx: Ctx, { companyDays, queues }: RetentionChanges): Promise<void> {
  const before = await readRetention(ctx);
  for (const { id, days } of queues) {
    const queue = before.queues.find((each) => each.id === id);
    if (!queue) {
      throw new AppError("ERR_NO_QUEUE_FOUND", { queueId: id });
    }
    if (queue.days !== days) {
      await updateQueue(ctx, id, { retentionDays: days });
      const target = { type: "queue", id, name: queue.name } as const;
      await recordAudit(ctx, {
        action: "retention.updated",
        target,
        details: { days: { from: queue.days, to: days } },
      });
    }
  }
  const details = companyDays !== undefined && changedFields({ days: before.companyDays }, { days: companyDays });
  if (details) {
    await saveSetting(ctx, "retentionDays", String(companyDays ?? 0));
    const target = { type: "company", id: ctx.companyId } as const;
    await recordAudit(ctx, { action: "retention.updated", target, details });
  }
}

/** Each night: deletes messages and files of resolved conversations whose days are over, in small batches. */
export const retentionCron: Cron = {
  name: "privacy.retention",
  at: { hour: 5, minute: 10 },
  async run({ db, clock, log, signal }) {
    for (const companyId of await findCompanies(db)) {
      const actor = { kind: "system", companyId, reason: "privacy.retention" } as const;
      const inCompany = <T>(work: (ctx: Ctx) => Promise<T>) =>
        db.inCompany({ actor, companyId, clock, log, retry: true }, work);
      let total = 0;
      let rows = batch;
      while (rows === batch && total < mostPerNight) {
        signal.throwIfAborted();
        const before = total;
        rows = await inCompany(async (ctx) => {
          const erased = await expiredMessages(ctx, await readRetention(ctx), batch);
          enqueueFileDeletion(ctx, erased.files);
          await noteDeleted(ctx, erased.rows);
          if (erased.rows < batch || before + erased.rows >= mostPerNight) {
            await recordDeleted(ctx);
          }
          return erased.rows;
        });
        total += rows;
      }
    }
  },
};

/** With what a night that was killed has left: each message is told of once. */
async function recordDeleted(ctx: Ctx): Promise<void> {
  const messages = await takeDeleted(ctx);
  if (messages > 0) {
    await recordAudit(ctx, { action: "retention.applied", details: { messages } });
  }
}

async function companyDaysOf(ctx: Ctx): Promise<number | null> {
  const days = Number(await settingOf(ctx, "retentionDays"));
  return days > 0 ? days : null;
}
