import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ContactExport } from "@prosa/contract";
import { z } from "zod";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { findDataSubject } from "#server/features/contacts/index.ts";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findAbandoned, NoRetry } from "#server/platform/jobs/index.ts";
import type { Cron, JobHandler } from "#server/platform/jobs/index.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { writeZip } from "#server/platform/zip/index.ts";
import {
  deleteExports,
  failExport,
  findCompaniesWithExpired,
  findExport,
  findExportsOf,
  finishExport,
  hasContact,
  insertExport,
} from "./export.queries.ts";
import type { ExportRow } from "./export.queries.ts";
import { exportPageWords } from "./export-page.i18n.ts";
import { exportFiles } from "./write-export.ts";

export const EXPORT_TASK = "privacy.export-contact";
const folder = "exports";
/** A file of somebody's whole data lies no longer than is needed to hand it over. */
const keptDays = 7;
const batch = 100;
const abandonable = {
  table: "contact_exports",
  openStates: ["waiting"],
  task: EXPORT_TASK,
  payloadKey: "exportId",
} as const;

const payloadSchema = z.object({ exportId: z.number().int(), contactId: z.number().int() });

/** Has a job write all data of a contact into an archive (V-02). Throws ERR_NO_CONTACT_FOUND. */
export async function requestExport(ctx: Ctx, contactId: number): Promise<ContactExport> {
  if (!(await findDataSubject(ctx, contactId))) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  const exportId = await insertExport(ctx, contactId, ctx.actor.kind === "user" ? ctx.actor.userId : null);
  ctx.enqueue({
    task: EXPORT_TASK,
    payload: { exportId, contactId },
    lane: `privacy-export:${ctx.companyId}`,
    priority: "bulk",
  });
  const target = { type: "contact", id: contactId } as const;
  await recordAudit(ctx, { action: "privacy.export-requested", target, details: { exportId } });
  return exportView((await findExport(ctx, exportId))!);
}

/** The exports of a contact that still lie, the latest first. Throws ERR_NO_CONTACT_FOUND. */
export async function listExports(ctx: Ctx, contactId: number): Promise<ContactExport[]> {
  if (!(await hasContact(ctx, contactId))) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  return (await findExportsOf(ctx, contactId)).map(exportView);
}

/** The file of an export, and the entry that it was fetched. Throws ERR_NOT_FOUND where it is not ready or has expired. */
export async function openExport(ctx: Ctx, id: number): Promise<{ readonly key: string; readonly name: string }> {
  const row = await findExport(ctx, id);
  if (!row?.storage_key || (row.expires_at && row.expires_at <= ctx.now())) {
    throw new AppError("ERR_NOT_FOUND", { exportId: id });
  }
  const { language } = await companyLocaleOf(ctx);
  const target = { type: "contact", id: row.contact_id } as const;
  await recordAudit(ctx, { action: "privacy.export-downloaded", target, details: { exportId: id } });
  return { key: row.storage_key, name: `${exportPageWords[language].files.archive}-${row.contact_id}.zip` };
}

/** Job: writes the archive. A run that was killed leaves a file that nobody refers to, which the nightly sweep takes. */
export function exportContactJob({ storage, db, clock, log }: Services): JobHandler {
  return async (job, { inCompany, signal }) => {
    const parsed = payloadSchema.safeParse(job.payload);
    if (!parsed.success || job.companyId === null) {
      throw new NoRetry("Invalid job payload");
    }
    const { exportId, contactId } = parsed.data;
    const { companyId } = job;
    const waiting = await inCompany((ctx) => findExport(ctx, exportId));
    const found = await inCompany((ctx) => findDataSubject(ctx, contactId));
    const locale = await inCompany(companyLocaleOf);
    if (waiting?.state !== "waiting" || !found) {
      return;
    }
    const actor = { kind: "system", companyId, reason: EXPORT_TASK } as const;
    const read = <T>(work: (ctx: Ctx) => Promise<T>) => db.read({ actor, companyId, clock, log }, work);
    const key = storageKey(companyId, folder, `${randomUUID()}.zip`);
    const write = async () => {
      const files = exportFiles({ read, storage, subject: found.subject, locale, signal });
      const options = { contentType: "application/zip", isHuge: true };
      return (await storage.put(key, Readable.from(writeZip(files)), options)).size;
    };
    const expiresAt = new Date(clock.now().getTime() + keptDays * 86_400_000);
    const size = await write().catch(async (error: unknown) => {
      if (job.attempt >= job.maxAttempts) {
        // Otherwise nobody could ask for this contact's data again.
        await inCompany((ctx) => failExport(ctx, exportId, expiresAt));
      }
      throw error;
    });
    if (!(await inCompany((ctx) => finishExport(ctx, exportId, { key, size, expiresAt })))) {
      await storage.delete(key);
    }
  };
}

/** Exports are data of the contact, too. */
export const exportData: PersonalDataOwner = {
  name: "privacy.exports",
  erase: (ctx, { contactId }, limit) => deleteExports(ctx, { contactId }, limit),
};

/** Each hour: deletes archives whose time is over, and ends those whose job is gone: nobody could ask for that contact's data again. */
export const expireExports = (storage: Services["storage"]): Cron => ({
  name: "privacy.expire-exports",
  at: { minute: 35 },
  async run({ db, clock, log, signal }) {
    for (const { companyId, id } of await findAbandoned(db, abandonable)) {
      signal.throwIfAborted();
      const actor = { kind: "system", companyId, reason: "privacy.expire-exports" } as const;
      const expiresAt = new Date(clock.now().getTime() + keptDays * 86_400_000);
      await db.inCompany({ actor, companyId, clock, log }, (ctx) => failExport(ctx, id, expiresAt));
    }
    for (const companyId of await findCompaniesWithExpired(db, clock.now())) {
      signal.throwIfAborted();
      const actor = { kind: "system", companyId, reason: "privacy.expire-exports" } as const;
      const { files } = await db.inCompany({ actor, companyId, clock, log }, (ctx) =>
        deleteExports(ctx, { before: clock.now() }, batch),
      );
      await Promise.all(files.map((key) => storage.delete(key)));
    }
  },
});

function exportView(row: ExportRow): ContactExport {
  return {
    id: row.id,
    contactId: row.contact_id,
    userName: row.user_name,
    state: row.state,
    size: row.size,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
