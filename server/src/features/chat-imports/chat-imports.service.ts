import { randomUUID } from "node:crypto";
import type { ChatImport, ChatPreview } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { beginMove } from "#server/platform/db/index.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { deletingIfRefused, storageKey } from "#server/platform/storage/index.ts";
import {
  findChatContact,
  findChatImports,
  findConnectionForHistory,
  findLatestTicket,
  insertChatImport,
} from "./chat-imports.queries.ts";
import type { ChatImportRow } from "./chat-imports.queries.ts";
import { ArchiveError } from "./read-archive.ts";
import { readChat } from "./read-chat.ts";

export const IMPORT_TASK = "chat-imports.import";
/** Holds the archives until they are taken in. */
export const archiveFolder = "chat-imports";

/** What an uploaded chat holds. Throws ERR_FILE_TYPE for another kind of file, ERR_VALIDATION for one that is no exported chat. */
export async function previewChat(
  { clock }: Pick<Services, "clock">,
  companyId: number,
  file: Upload,
): Promise<ChatPreview> {
  const { contentType, name } = file;
  if (contentType !== "application/zip" && contentType !== "text/plain") {
    throw new AppError("ERR_FILE_TYPE", { name });
  }
  try {
    return await readChat(file, { now: clock.now(), companyId });
  } catch (error) {
    throw error instanceof ArchiveError ? unreadable(error.failure) : error;
  }
}

/**
 * Has a job take an exported chat into the conversation of a contact. Throws ERR_NO_CONTACT_FOUND, ERR_NO_DEF_WAPP_FOUND where it has no
 * conversation and the company no connection, ERR_VALIDATION where nobody of the name
 * `me` wrote in it, and as `previewChat` does.
 */
export async function startChatImport(
  { db, storage, clock }: Services,
  edge: Pick<RequestScope, "inCompany" | "actor">,
  contactId: number,
  { me, file }: { readonly me: string; readonly file: Upload },
): Promise<ChatImport> {
  // Before the file is looked at: it says nothing of another company's contact.
  await edge.inCompany(async (ctx) => {
    await requireContact(ctx, contactId);
    if (!(await findLatestTicket(ctx, contactId)) && (await findConnectionForHistory(ctx)) === undefined) {
      throw new AppError("ERR_NO_DEF_WAPP_FOUND");
    }
  });
  const companyId = edge.actor?.companyId ?? 0;
  const preview = await previewChat({ clock }, companyId, file);
  if (!preview.authors.some(({ name }) => name === me)) {
    throw new AppError("ERR_VALIDATION", { fields: { me: "Nobody of this name wrote in the chat" } });
  }
  const source = {
    kind: "chat",
    fingerprint: `chat: ${companyId} ${contactId}`,
    name: `chat of contact ${contactId}`,
  } as const;
  const run = await db.systemTx((tx) => beginMove(tx, source));
  const key = storageKey(companyId, archiveFolder, randomUUID());
  await storage.put(key, file.stream(), { contentType: file.contentType });
  return deletingIfRefused(storage, [key], () =>
    edge.inCompany(async (ctx) => {
      await requireContact(ctx, contactId);
      const row = await insertChatImport(ctx, {
        contact_id: contactId,
        user_id: ctx.actor.kind === "user" ? ctx.actor.userId : null,
        me,
        storage_key: key,
        source_id: run.sourceId,
        run_id: run.runId,
        total: preview.messages,
        misdated: preview.misdated,
      });
      ctx.enqueue({
        task: IMPORT_TASK,
        payload: { importId: row.id, contentType: file.contentType },
        lane: `chat-imports:${companyId}`,
        priority: "bulk",
      });
      const target = { type: "contact", id: contactId } as const;
      await recordAudit(ctx, { action: "contact.history-imported", target, details: { importId: row.id } });
      return importView(row);
    }),
  );
}

/** Throws ERR_NO_CONTACT_FOUND. */
export async function listChatImports(ctx: Ctx, contactId: number): Promise<ChatImport[]> {
  await requireContact(ctx, contactId);
  return (await findChatImports(ctx, contactId)).map(importView);
}

/** Throws ERR_NO_CONTACT_FOUND. */
export async function requireContact(ctx: Ctx, contactId: number): Promise<void> {
  if (!(await findChatContact(ctx, contactId))) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
}

function unreadable(failure: "unreadable" | "tooLarge"): AppError {
  return new AppError("ERR_VALIDATION", { failure, fields: { file: "Not an exported chat" } });
}

function importView(row: ChatImportRow): ChatImport {
  return {
    id: row.id,
    contactId: row.contact_id,
    state: row.state,
    failure: row.failure,
    total: row.total,
    done: row.done,
    created: row.created,
    known: row.known,
    withoutFile: row.without_file,
    misdated: row.misdated,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
