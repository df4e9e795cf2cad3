import { z } from "zod";
import { recordAudit, redactAudit } from "#server/platform/audit/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { forgetAnswers } from "#server/platform/http/index.ts";
import { NoRetry, deleteTracesInJobsAndEvents } from "#server/platform/jobs/index.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { wordsOf } from "#server/platform/personal-data.ts";
import type { DataSubject, PersonalDataOwner } from "#server/platform/personal-data.ts";
import type { Services } from "#server/platform/services.ts";
import { findReferenced } from "#server/platform/storage/index.ts";
import type { FileOwner } from "#server/platform/storage/index.ts";
import { renewSubject } from "./follow-person.ts";
import { identifyRestored } from "./identify-restored.ts";
import { findErasure, findUnfinished, finishErasure, saveProgress } from "./privacy.queries.ts";
import { eraseJob, openSubject } from "./privacy.service.ts";

/**
 * Every ten minutes: starts erasures again whose job gave up, and those that a restore asked for. An erasure that is under way has
 * the lane, and the job that comes after it finds it finished.
 */
export const resumeErasures: Cron = {
  name: "privacy.resume-erasures",
  everySeconds: 600,
  async run({ db, clock }) {
    const unfinished = await findUnfinished(db, new Date(clock.now().getTime() - 600_000));
    await db.systemTx(async (tx) => {
      unfinished.forEach(({ id, companyId }) => tx.enqueue(companyId, eraseJob(companyId, id)));
    });
  },
};

export const DELETE_FILES_TASK = "privacy.delete-files";

/** Rows of one transaction: a long one would delay the event tail of every company. */
const batch = 100;

const payloadSchema = z.object({ erasureId: z.number().int() });
const filesSchema = z.object({ keys: z.array(z.string()) });

/**
 * Job: erases a contact's data, owner by owner and batch by batch. Each batch is saved with the progress and with the job that
 * deletes its files; after a kill the owners are asked again from the first one, which finds nothing where it was done.
 */
export function eraseContactJob(services: Services, owners: readonly PersonalDataOwner[]): JobHandler {
  const ordered = [...owners.filter(({ isLast }) => !isLast), ...owners.filter(({ isLast }) => isLast)];
  return async (job, deps) => {
    const parsed = payloadSchema.safeParse(job.payload);
    if (!parsed.success || job.companyId === null) {
      throw new NoRetry("Invalid job payload");
    }
    const { erasureId } = parsed.data;
    const find = () => deps.inCompany((ctx) => findErasure(ctx, erasureId));
    let erasure = await find();
    if (erasure && erasure.state !== "finished" && !erasure.subject) {
      await identifyRestored(deps, services);
      erasure = await find();
    }
    if (!erasure?.subject) {
      return;
    }
    const asked = openSubject(services.vault, erasureId, erasure.subject);
    let subject: DataSubject | undefined = await deps.inCompany((ctx) =>
      renewSubject(ctx, services, erasureId, asked, asked.contactId),
    );
    while (subject) {
      // Twice: what came in while the first pass ran, before the contact was gone.
      for (const owner of [...ordered, ...ordered]) {
        await eraseAtOwner(deps, erasureId, owner, subject);
      }
      await eraseInSystem(deps, job.companyId, subject);
      const erased: DataSubject = subject;
      subject = await deps.inCompany((ctx) => finishOrFollow(ctx, services, erasureId, erased), { retry: true });
    }
  };
}

/** Ends the erasure, or returns with whom it goes on: a merge has given what was left of the person to another contact meanwhile. */
async function finishOrFollow(
  ctx: Ctx,
  services: Services,
  erasureId: number,
  subject: DataSubject,
): Promise<DataSubject | undefined> {
  if (await finishErasure(ctx, erasureId, subject.contactId)) {
    const target = { type: "contact", id: subject.contactId } as const;
    await recordAudit(ctx, { action: "privacy.erased", target, details: { erasureId } });
    return undefined;
  }
  const erasure = await findErasure(ctx, erasureId);
  return erasure?.subject ? renewSubject(ctx, services, erasureId, subject, erasure.contact_id) : undefined;
}

async function eraseAtOwner(
  { inCompany, signal }: JobDeps,
  erasureId: number,
  owner: PersonalDataOwner,
  subject: DataSubject,
): Promise<void> {
  let rows = batch;
  while (rows >= batch) {
    signal.throwIfAborted();
    rows = await inCompany(
      async (ctx) => {
        const erased = await owner.erase(ctx, subject, batch);
        enqueueFileDeletion(ctx, erased.files);
        await saveProgress(ctx, erasureId, owner.name, erased.rows);
        return erased.rows;
      },
      { retry: true },
    );
  }
}

/** What requests may not touch or not search: dead jobs, recent events, kept answers, and the words of the audit log. */
async function eraseInSystem({ db, signal }: JobDeps, companyId: number, subject: DataSubject): Promise<void> {
  const words = wordsOf(subject);
  const person = { contactId: subject.contactId, words };
  await db.systemTx((tx) => forgetAnswers(tx, companyId));
  let rows = batch;
  while (rows >= batch) {
    signal.throwIfAborted();
    rows = await db.systemTx(async (tx) =>
      Math.max(
        words.length === 0 ? 0 : await deleteTracesInJobsAndEvents(tx, companyId, words, batch),
        await redactAudit(tx, companyId, person, batch),
      ),
    );
  }
}

/** Enqueues the deletion of files in the transaction that deletes their rows. */
export function enqueueFileDeletion(ctx: Ctx, keys: readonly string[] = []): void {
  if (keys.length > 0) {
    ctx.enqueue({ task: DELETE_FILES_TASK, payload: { keys }, maxAttempts: 50, priority: "bulk" });
  }
}

/**
 * Job: deletes files whose rows are gone. One that another row refers to stays: a file of a list, of a campaign or of a queue's option is
 * sent without being copied.
 */
export const deleteFilesJob =
  ({ storage }: Services, owners: readonly FileOwner[]): JobHandler =>
  async ({ payload }, { inCompany, signal }) => {
    const { keys } = filesSchema.parse(payload);
    const referenced = await inCompany((ctx) => findReferenced(ctx, owners, keys));
    for (const key of keys.filter((one) => !referenced.has(one))) {
      signal.throwIfAborted();
      await storage.delete(key);
    }
  };
