import type { CompanyExport } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { JsonText, OnceScope, RequestScope } from "#server/platform/http/index.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type { Services } from "#server/platform/services.ts";
import {
  deleteExports,
  endExport,
  findExport,
  findExports,
  findOpenExport,
  insertExport,
} from "./company-exports.queries.ts";
import type { CompanyExportRow } from "./company-exports.queries.ts";

export const EXPORT_TASK = "company-exports.write";
/** Holds the archives until they expire. */
export const archiveFolder = "company-exports";
/** An archive of everything lies no longer than is needed to take it away. */
export const keptDays = 3;
/** Companies whose archives are written at the same time, in the whole installation: each reads everything that it has. */
const lanes = 2;
/** Archives that a company may begin: each reads everything that it has. */
const limit = { max: 10, perSeconds: 86_400 };
/** Rows of one transaction that deletes; a company has one or two. */
const batch = 100;

/**
 * Has a job write everything of the company into an archive. Its earlier archives go: there is one at a time, so their room on the disk
 * is that of one. While one is being written, that one is returned, and not counted. ERR_TOO_MANY_REQUESTS beyond `limit`.
 */
export async function startExport(
  services: Pick<Services, "storage" | "db" | "clock">,
  edge: Pick<OnceScope, "inCompanyOnce">,
): Promise<CompanyExport | JsonText> {
  let earlier: readonly string[] = [];
  const answer = await edge.inCompanyOnce(async (ctx) => {
    const id = await insertExport(ctx, ctx.actor.kind === "user" ? ctx.actor.userId : null);
    if (id === undefined) {
      // Ended between two statements: the latest one.
      return requireExport((await findOpenExport(ctx)) ?? (await findExports(ctx))[0]);
    }
    await enforceSharedLimit(services, `company-exports:${ctx.companyId}`, limit);
    ctx.enqueue({
      task: EXPORT_TASK,
      payload: { exportId: id },
      lane: `company-exports:${ctx.companyId % lanes}`,
      maxAttempts: 5,
      priority: "bulk",
    });
    await recordAudit(ctx, {
      action: "company.export-requested",
      target: { type: "company", id: ctx.companyId },
      details: { exportId: id },
    });
    earlier = (await deleteExports(ctx, { olderThan: id }, batch)).files;
    return requireExport(await findExport(ctx, id));
  });
  await Promise.all(earlier.map((key) => services.storage.delete(key)));
  return answer;
}

/** Those that still lie, are being written or were not finished, the latest first. */
export async function listExports(ctx: Ctx): Promise<CompanyExport[]> {
  return (await findExports(ctx)).map(exportView);
}

/** The address of an archive, and the entry that somebody asked for it. Throws ERR_NOT_FOUND where there is none or its time is over. */
export async function linkOfExport(ctx: Ctx, { media }: Pick<Services, "media">, id: number): Promise<{ url: string }> {
  const row = await findExport(ctx, id);
  if (!row?.storage_key || !row.expires_at || row.expires_at <= ctx.now()) {
    throw new AppError("ERR_NOT_FOUND", { exportId: id });
  }
  await recordAudit(ctx, {
    action: "company.export-downloaded",
    target: { type: "company", id: ctx.companyId },
    details: { exportId: id },
  });
  const name = `empresa-${row.requested_at.toISOString().slice(0, 10)}.tar.zst`;
  return { url: media.link({ companyId: ctx.companyId, key: row.storage_key, contentType: "application/zstd", name }) };
}

/** Cancels an archive that is being written, or deletes one. Throws ERR_NOT_FOUND. */
export async function removeExport(
  { storage }: Pick<Services, "storage">,
  edge: Pick<RequestScope, "inCompany">,
  id: number,
): Promise<void> {
  const files = await edge.inCompany(async (ctx) => {
    const row = await findExport(ctx, id);
    if (!row) {
      throw new AppError("ERR_NOT_FOUND", { exportId: id });
    }
    const isOpen = row.state === "waiting" || row.state === "running";
    if (isOpen) {
      await endExport(ctx, id, { state: "cancelled", failure: null, expiresAt: expiryOf(ctx.now()) });
    }
    await recordAudit(ctx, {
      action: isOpen ? "company.export-cancelled" : "company.export-deleted",
      target: { type: "company", id: ctx.companyId },
      details: { exportId: id },
    });
    return isOpen ? [] : (await deleteExports(ctx, { id }, 1)).files;
  });
  await Promise.all(files.map((key) => storage.delete(key)));
}

export function expiryOf(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + keptDays * 86_400_000);
}

/** An archive holds the data of everybody: when somebody is erased it goes as a whole, and one that is being written ends. */
export const exportData: PersonalDataOwner = {
  name: "company-exports",
  async erase(ctx, _subject, limit) {
    const open = await findOpenExport(ctx);
    if (open) {
      await endExport(ctx, open.id, { state: "failed", failure: "erased", expiresAt: expiryOf(ctx.now()) });
    }
    // Those without a file hold nothing of anybody, and say why there is none.
    return deleteExports(ctx, "finished", limit);
  },
};

function requireExport(row: CompanyExportRow | undefined): CompanyExport {
  if (!row) {
    throw new AppError("ERR_NOT_FOUND");
  }
  return exportView(row);
}

function exportView(row: CompanyExportRow): CompanyExport {
  return {
    id: row.id,
    userName: row.user_name,
    state: row.state,
    failure: row.failure,
    done: row.done,
    total: row.total,
    size: row.size,
    requestedAt: row.requested_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
