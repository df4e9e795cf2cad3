import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { instantOf } from "@prosa/contract";
import type { MediaType } from "@prosa/contract";
import { z } from "zod";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { findOrCreateTickets, refreshMovedTicket, ticketReloaded } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { moveTxIn } from "#server/platform/db/index.ts";
import { sniffType } from "#server/platform/http/index.ts";
import { classifyInfrastructureError } from "#server/platform/infrastructure-errors.ts";
import { findAbandoned, NoRetry } from "#server/platform/jobs/index.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { shortFileName, storageKey } from "#server/platform/storage/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import {
  findChatImport,
  findConnectionForHistory,
  findLatestTicket,
  findSaidHere,
  lockChatContact,
  lockChatImport,
  saveChatImport,
} from "./chat-imports.queries.ts";
import type { ChatContact, ChatImportRow } from "./chat-imports.queries.ts";
import { IMPORT_TASK } from "./chat-imports.service.ts";
import type { KnownLine } from "./chat-marks.ts";
import type { ChatLine } from "./parse-chat.ts";
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

interface StoredFile {
  readonly key: string;
  readonly type: string;
  readonly size: number;
}

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
    const folder = await mkdtemp(join(tmpdir(), "prosa-chat-"));
    try {
      const path = join(folder, "chat");
      await pipeline(await services.storage.get(row.storage_key), createWriteStream(path));
      await readChat({ path, contentType }, services.clock.now(), join(folder, "lines"));
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
      await rm(folder, { recursive: true, force: true });
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
    // Who has the conversation open sees its history; batches are there after a failure too.
    const ticket = await findLatestTicket(ctx, row.contact_id);
    if (ticket) {
      ctx.emit(ticketReloaded(ticket.id, null));
    }
  });
  await storage.delete(row.storage_key ?? "");
}

/** Each hour: ends imports whose job is gone, and deletes their archives: whole private chats. */
export const endAbandonedImports = (services: Services): Cron => ({
  name: "chat-imports.abandoned",
  at: { minute: 35 },
  async run({ db, clock, log, signal }) {
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

/** False where the import is over, or another run of the job did this batch. */
async function importBatch(
  ctx: Ctx,
  { id }: ChatImportRow,
  batch: readonly KnownLine[],
  files: ReadonlyMap<string, StoredFile>,
  from: number,
): Promise<boolean> {
  const { row, contact } = await lockWithContact(ctx, id);
  if (!row || !contact || row.done !== from) {
    return false;
  }
  const { timeZone } = await companyLocaleOf(ctx);
  const ticket = await conversationOf(ctx, contact, ctx.now());
  const tx = moveTxIn(ctx, { sourceId: row.source_id, runId: row.run_id });
  const known = await tx.findMoved(
    "messages",
    batch.map(({ mark }) => mark),
  );
  const timed = batch.flatMap((line) => {
    const at = known.has(line.mark) ? undefined : instantOf(line.at, timeZone);
    return at ? [{ line, at }] : [];
  });
  const fresh = await withoutSaidHere(ctx, ticket.id, row.me, timed);
  const ids = await tx.reserveIds("messages", fresh.length);
  const rows = fresh.map(({ line, at }, index) => {
    const fromMe = line.author === row.me;
    const file = files.get(line.mark);
    return {
      id: ids[index],
      company_id: ctx.companyId,
      ticket_id: ticket.id,
      contact_id: contact.id,
      connection_id: ticket.connectionId,
      wa_id: `chat-${line.mark}`,
      from_me: fromMe,
      ack: fromMe ? 4 : 0,
      is_read: true,
      media_type: kindOf(line, file),
      body: truncateText(line.body, 65_536),
      data: { imported: true },
      participant: contact.isGroup && !fromMe ? { number: "", name: line.author, phone: null, lid: null } : null,
      is_deleted: line.isDeleted,
      is_edited: line.isEdited,
      sent_at: at.toISOString(),
    };
  });
  const inserted = await tx.insert("messages", rows);
  const made = fresh.map(({ line }, index) => ({ line, id: ids[index] ?? 0 })).filter((each) => inserted.has(each.id));
  await tx.saveMoved(
    "messages",
    made.map((each) => ({ oldId: each.line.mark, newId: each.id, isMade: true })),
  );
  const withFile = made.filter(({ line }) => line.file !== null || line.omitted !== null);
  await tx.insert(
    "media",
    withFile.map((each) => {
      const file = files.get(each.line.mark);
      return {
        message_id: each.id,
        company_id: ctx.companyId,
        state: file ? "ready" : "expired",
        storage_key: file?.key ?? null,
        file_name: each.line.file === null ? null : shortFileName(each.line.file),
        mime_type: file?.type ?? null,
        size: file?.size ?? null,
        is_voice: /\.opus$/iu.test(each.line.file ?? ""),
      };
    }),
    { key: ["message_id"] },
  );
  await refreshMovedTicket(ctx, ticket.id);
  await saveChatImport(ctx, id, {
    state: "running",
    done: from + batch.length,
    created: row.created + made.length,
    known: row.known + batch.length - made.length,
    without_file: row.without_file + withFile.filter(({ line }) => !files.has(line.mark)).length,
  });
  return true;
}

/** The contact first, as a merge of contacts does, which gives the import to the one that stays. */
async function lockWithContact(ctx: Ctx, id: number) {
  for (;;) {
    const seen = await findChatImport(ctx, id);
    const contact = seen && (await lockChatContact(ctx, seen.contact_id));
    const row = contact && (await lockChatImport(ctx, id));
    if (!seen || (contact && row?.contact_id === contact.id)) {
      return { row, contact };
    }
    if (contact && !row) {
      return { row: undefined, contact: undefined };
    }
  }
}

/** The contact's conversation that was spoken in last, else a closed one on the default connection. */
async function conversationOf(
  ctx: Ctx,
  { id: contactId, isGroup }: ChatContact,
  at: Date,
): Promise<{ id: number; connectionId: number | null }> {
  const latest = await findLatestTicket(ctx, contactId);
  if (latest) {
    return latest;
  }
  const connectionId = await findConnectionForHistory(ctx);
  if (connectionId === undefined) {
    throw new AppError("ERR_NO_DEF_WAPP_FOUND");
  }
  // As old as can be: the first message that is taken in says when it was spoken in last.
  const created = await findOrCreateTickets(ctx, connectionId, [{ contactId, isGroup, at: new Date(0) }], new Map());
  const ticket = created.get(contactId);
  if (!ticket) {
    throw new Error(`No conversation was made at ${at.toISOString()}`);
  }
  return { id: ticket.id, connectionId };
}

interface TimedLine {
  readonly line: KnownLine;
  readonly at: Date;
}

/** Without what came through the product itself: most exports know a message by its minute, its words and who said it. */
async function withoutSaidHere(
  ctx: Ctx,
  ticketId: number,
  me: string,
  lines: readonly TimedLine[],
): Promise<TimedLine[]> {
  const times = lines.map(({ at }) => at.getTime());
  if (times.length === 0) {
    return [];
  }
  const said = await findSaidHere(
    ctx,
    ticketId,
    new Date(Math.min(...times) - 60_000),
    new Date(Math.max(...times) + 120_000),
  );
  const count = new Map<string, number>();
  const minute = (at: Date) => Math.floor(at.getTime() / 60_000);
  const keyOf = (fromMe: boolean, at: Date, what: string) => `${fromMe} ${minute(at)} ${what}`;
  for (const { fromMe, mediaType, body, sentAt } of said) {
    const key = keyOf(fromMe, sentAt, mediaType === "chat" ? body.trim() : `file ${body.trim()}`);
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  return lines.filter(({ line, at }) => {
    const what = line.file === null && line.omitted === null ? line.body.trim() : `file ${line.body.trim()}`;
    const key = keyOf(line.author === me, at, what);
    const left = count.get(key) ?? 0;
    count.set(key, left - 1);
    return left <= 0;
  });
}

function kindOf({ file, omitted }: ChatLine, stored: StoredFile | undefined): MediaType {
  if (omitted !== null) {
    return omitted;
  }
  if (file === null) {
    return "chat";
  }
  if (/sticker.*\.webp$|^STK-/iu.test(file)) {
    return "sticker";
  }
  const [family] = (stored?.type ?? "").split("/");
  const isSound = /\.(?:opus|ogg|m4a|aac|amr|mp3)$/iu.test(file);
  if (isSound) {
    return "audio";
  }
  return family === "image" || family === "video" || family === "audio" ? family : "application";
}
