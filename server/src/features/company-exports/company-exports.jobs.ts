import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { CompanyExport } from "@prosa/contract";
import { z } from "zod";
import { classifyInfrastructureError } from "#server/platform/infrastructure-errors.ts";
import { findAbandoned, NoRetry } from "#server/platform/jobs/index.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import {
  deleteExports,
  endExport,
  findCompaniesWithExpired,
  findExport,
  findReader,
  finishExport,
  saveProgress,
} from "./company-exports.queries.ts";
import { archiveFolder, EXPORT_TASK, expiryOf } from "./company-exports.service.ts";
import { exportReadyMail } from "./export-ready-mail.ts";

const payloadSchema = z.object({ exportId: z.number().int() });
/** How often the page hears of the progress, and the job of a cancellation. */
const progressMs = 1_000;
/** What an archive leaves free on a disk: messages must come in meanwhile. */
const minLeftBytes = 1024 * 1024 * 1024;
const batch = 100;
const abandonable = {
  table: "company_exports",
  openStates: ["waiting", "running"],
  task: EXPORT_TASK,
  payloadKey: "exportId",
} as const;

/** What is to be written, before the first row. */
export interface ArchivePlan {
  /** Rows and files. */
  readonly things: number;
  /** Of all files. */
  readonly bytes: number;
}

/** Writes everything of a company, as `npm run company -- export` does, without secrets and passwords. */
export type WriteCompany = (order: {
  readonly services: Pick<Services, "db" | "storage">;
  readonly companyId: number;
  /** Called before the first row; an error ends the archive. */
  readonly onPlan: (plan: ArchivePlan) => Promise<void>;
  /** Called for each row and file. */
  readonly onThing: () => void;
}) => Readable;

class NoSpace extends Error {}
class Ended extends Error {}

/**
 * Job: writes the archive straight into the storage. A run that was killed begins again, as of another moment: an archive is of one. Its
 * half of a file is no file yet, and the nightly sweep takes what a run stored right before it died.
 */
export function writeExportJob(services: Services, write: WriteCompany): JobHandler {
  const { storage, clock } = services;
  return async (job, deps) => {
    const parsed = payloadSchema.safeParse(job.payload);
    if (!parsed.success || job.companyId === null) {
      throw new NoRetry("Invalid job payload");
    }
    const { exportId } = parsed.data;
    const { companyId } = job;
    const key = storageKey(companyId, archiveFolder, `${randomUUID()}.tar.zst`);
    const end = (state: "failed" | "cancelled", failure: CompanyExport["failure"]) =>
      deps.inCompany((ctx) => endExport(ctx, exportId, { state, failure, expiresAt: expiryOf(ctx.now()) }));
    try {
      const written = await writeArchive({ services, deps, write, companyId, exportId, key });
      const isWanted = await deps.inCompany(async (ctx) => {
        const isFinished = await finishExport(ctx, exportId, { key, ...written, expiresAt: expiryOf(clock.now()) });
        if (isFinished && services.config.mail.smtpUrl !== undefined) {
          const userId = (await findExport(ctx, exportId))?.user_id ?? null;
          const reader = userId === null ? undefined : await findReader(ctx, userId);
          if (reader) {
            sendMail(ctx, exportReadyMail(reader, services.publicUrl()));
          }
        }
        return isFinished;
      });
      if (!isWanted) {
        await storage.delete(key);
      }
    } catch (error) {
      if (error instanceof Ended) {
        return;
      }
      if (error instanceof NoSpace || classifyInfrastructureError(error) === "storage full") {
        // Not again and again: each attempt would fill the disk that messages need.
        deps.log.warn({ err: error, exportId }, "no space for the archive of a company");
        await end("failed", "noSpace");
        return;
      }
      if (job.attempt >= job.maxAttempts && !deps.signal.aborted) {
        await end("failed", "failed");
      }
      throw error;
    }
  };
}

async function writeArchive(work: {
  readonly services: Services;
  readonly deps: JobDeps;
  readonly write: WriteCompany;
  readonly companyId: number;
  readonly exportId: number;
  readonly key: string;
}): Promise<{ readonly size: number; readonly done: number }> {
  const { services, deps, exportId, key } = work;
  let [done, total] = [0, 0];
  const save = async () => {
    if (!(await deps.inCompany((ctx) => saveProgress(ctx, exportId, done, Math.max(total, done))))) {
      throw new Ended("the export was cancelled");
    }
    // Others write too: another archive, and the messages that need the room.
    const left = services.config.s3 ? undefined : await services.freeSpace.left();
    if (left !== undefined && left < minLeftBytes) {
      throw new NoSpace("the disk is filling up");
    }
  };
  await save();
  const archive = work.write({
    services,
    companyId: work.companyId,
    async onPlan({ things, bytes }) {
      total = things;
      // Pictures and voice do not get smaller by compression.
      const left = services.config.s3 ? undefined : await services.freeSpace.left();
      if (left !== undefined && left - bytes < minLeftBytes) {
        throw new NoSpace(`${bytes} bytes of files, ${left} are free`);
      }
    },
    onThing: () => (done += 1),
  });
  const stop = (error: unknown) => void archive.destroy(error as Error);
  const abort = () => stop(deps.signal.reason);
  deps.signal.addEventListener("abort", abort);
  let saving: Promise<void> | undefined;
  const beat = setInterval(() => {
    saving ??= save()
      .catch(stop)
      .finally(() => (saving = undefined));
  }, progressMs);
  try {
    deps.signal.throwIfAborted();
    const { size } = await services.storage.put(key, archive, { contentType: "application/zstd", isHuge: true });
    return { size, done };
  } finally {
    clearInterval(beat);
    deps.signal.removeEventListener("abort", abort);
    archive.destroy();
    await saving;
  }
}

/** Each hour: deletes archives whose time is over, and ends those whose job is gone. */
export const expireArchives = (storage: Services["storage"]): Cron => ({
  name: "company-exports.expire",
  at: { minute: 25 },
  async run({ db, clock, log, signal }) {
    for (const { companyId, id } of await findAbandoned(db, abandonable)) {
      signal.throwIfAborted();
      const actor = { kind: "system", companyId, reason: "company-exports.expire" } as const;
      await db.inCompany({ actor, companyId, clock, log }, (ctx) =>
        endExport(ctx, id, { state: "failed", failure: "failed", expiresAt: expiryOf(clock.now()) }),
      );
    }
    for (const companyId of await findCompaniesWithExpired(db, clock.now())) {
      signal.throwIfAborted();
      const actor = { kind: "system", companyId, reason: "company-exports.expire" } as const;
      const { files } = await db.inCompany({ actor, companyId, clock, log }, (ctx) =>
        deleteExports(ctx, { before: clock.now() }, batch),
      );
      await Promise.all(files.map((key) => storage.delete(key)));
    }
  },
});
