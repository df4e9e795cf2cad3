import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { ticketReloaded } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { sniffType } from "#server/platform/http/index.ts";
import { classifyInfrastructureError } from "#server/platform/infrastructure-errors.ts";
import { findAbandoned, NoRetry } from "#server/platform/jobs/index.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { deleteLeftFolders, openPassingFolder } from "#server/platform/passing-folder.ts";
import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { findTicketIdsOf, lockChatImport, saveChatImport } from "./chat-imports.queries.ts";
import type { ChatImportRow } from "./chat-imports.queries.ts";
import { IMPORT_TASK } from "./chat-imports.service.ts";
import type { KnownLine } from "./chat-marks.ts";
import { importBatch } from "./import-batch.ts";
import type { StoredFile } from "./import-batch.ts";
import { ArchiveError, openChatArchive } from "./read-archive.ts";
import type { ChatArchive } from "./read-archive.ts";
import { linesOf, readChat } from "./read-chat.ts";

const payloadSchema = z.object({ importId: z.number().int(), contentType: z.string() });

/** Messages of one transaction. */
const batchSize = 250;
const abandonable = {
  table: "chat_imports",
  openStates: ["waiting", "running"],
  task: IMPORT_TASK,
  payloadKey: "importId",
} as const;

/** Of the folders that hold a whole private chat while it is taken in. */
const folderPrefix = "prosa-chat-";

/**
 * Takes an exported chat in, batch by batch; a repeated job goes on after the last committed one. Nothing tells the bot, devices or
 * webhooks of these messages, and none counts as unread: they are old.
 */
export function importChatJob(services: Services): JobHandler {
  return async (job, deps) => {
    const parsed = payloadSchema.safeParse(job.payload);
    if (!parsed.success || job.companyId === null) {
      throw new NoRetry("Invalid job payload");
    }
    const { importId, contentType } = parsed.data;
    const row = await deps.inCompany((ctx) => lockChatImport(ctx, importId));
    if (!row?.storage_key || row.state === "finished" || row.state === "failed") {
      return;
    }
    const { folder, dispose } = await openPassingFolder(tmpdir(), folderPrefix);
    try {
      const path = join(folder, "chat");
      await pipeline(await services.storage.get(row.storage_key), createWriteStream(path));
      const reader = { now: services.clock.now(), companyId: job.companyId };
      await readChat({ path, contentType }, reader, join(folder, "lines"));
      const archive = await openChatArchive(path, contentType);
      let isWhole = false;
      try {
        isWhole = await importLines({ services, deps, row, archive, folder, companyId: job.companyId });
      } finally {
        archive.close();
      }
      if (isWhole) {
        await end(deps, services, row, "finished", null);
      }
    } catch (error) {
      const isFinal = error instanceof ArchiveError || error instanceof AppError;
      if (!isFinal && job.attempt < job.maxAttempts) {
        throw error;
      }
      deps.log.warn({ err: error, importId }, "an exported chat was not taken in");
      await end(deps, services, row, "failed", error instanceof ArchiveError ? error.failure : "interrupted");
    } finally {
      await dispose();
    }
  };
}

async function end(
  { inCompany }: Pick<JobDeps, "inCompany">,
  { storage }: Pick<Services, "storage">,
  row: ChatImportRow,
  state: "finished" | "failed",
  failure: ChatImportRow["failure"],
): Promise<void> {
  await inCompany(async (ctx) => {
    await saveChatImport(ctx, row.id, { state, failure, finished_at: ctx.now(), storage_key: null, me: "" });
    // Who has a conversation open sees its history; batches are there after a failure too, and files that came with them.
    for (const ticketId of await findTicketIdsOf(ctx, row.contact_id)) {
      ctx.emit(ticketReloaded(ticketId, null));
    }
  });
  await storage.delete(row.storage_key ?? "");
}

/** Each hour: ends imports whose job is gone, and deletes their archives and folders: whole private chats. */
export const endAbandonedImports = (services: Services): Cron => ({
  name: "chat-imports.abandoned",
  at: { minute: 35 },
  async run({ db, clock, log, signal }) {
    await deleteLeftFolders(tmpdir(), folderPrefix);
    for (const { companyId, id } of await findAbandoned(db, abandonable)) {
      signal.throwIfAborted();
      const actor = { kind: "system", companyId, reason: "chat-imports.abandoned" } as const;
      const inCompany: JobDeps["inCompany"] = (work) => db.inCompany({ actor, companyId, clock, log }, work);
      const row = await inCompany((ctx) => lockChatImport(ctx, id));
      if (row && row.state !== "finished" && row.state !== "failed") {
        await end({ inCompany }, services, row, "failed", "interrupted");
      }
    }
  },
});

interface Work {
  readonly services: Services;
  readonly deps: JobDeps;
  readonly row: ChatImportRow;
  readonly archive: ChatArchive;
  readonly folder: string;
  readonly companyId: number;
}

/** False where another run has taken over, or the import is over. */
async function importLines(work: Work): Promise<boolean> {
  const { deps, row, folder } = work;
  let from = row.done;
  for await (const batch of linesOf(join(folder, "lines"), from, batchSize)) {
    deps.signal.throwIfAborted();
    const files = await storeFiles(work, batch);
    const isGoingOn = await deps.inCompany((ctx) => importBatch(ctx, row, batch, files, from));
    if (!isGoingOn) {
      return false;
    }
    from += batch.length;
  }
  return true;
}

/** Before the transaction that refers to them, under keys that a repeated job finds again. */
async function storeFiles(
  { services: { storage }, archive, folder, companyId, row }: Work,
  batch: readonly KnownLine[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const stored = new Map<string, StoredFile>();
  for (const { file, mark, isFirstOfFile } of batch) {
    const name = file?.normalize("NFC") ?? "";
    const stream = isFirstOfFile ? await archive.read(name) : undefined;
    if (file === null || !stream) {
      continue;
    }
    const path = join(folder, "file");
    let size: number;
    let type: string;
    try {
      await pipeline(stream, createWriteStream(path));
      ({ size } = await stat(path));
      type = await sniffType(path, file);
    } catch (error) {
      if (classifyInfrastructureError(error) !== undefined) {
        throw error;
      }
      if (!(error instanceof AppError)) {
        throw new ArchiveError("unreadable", { cause: error });
      }
      // Of a kind that is refused: the message comes without it.
      continue;
    }
    // A fault of the storage says nothing about the archive: the job tries again.
    const key = storageKey(companyId, "messages", `chat-${row.contact_id}-${mark}`);
    if ((await storage.stat(key))?.size !== size) {
      await storage.put(key, createReadStream(path), { contentType: type });
    }
    stored.set(mark, { key, type, size });
  }
  return stored;
}
