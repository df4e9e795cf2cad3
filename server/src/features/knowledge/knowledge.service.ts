import { knowledgeFileTypes, knowledgeRules, pageSize } from "@prosa/contract";
import type { BodyOf, KnowledgeBody, knowledge, KnowledgeSource, KnowledgeSourceWithText } from "@prosa/contract";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { sectionsOfText, splitIntoPassages } from "./extract/index.ts";
import type { Passage } from "./extract/index.ts";
import {
  countSources,
  deleteSource,
  findSource,
  findSourceText,
  insertSource,
  lockSource,
  readsQuickMessages,
  savePassages,
  saveSource,
  saveSourcePrompts,
  searchSources,
} from "./knowledge.queries.ts";
import type { SourceRow } from "./knowledge.queries.ts";
import { embedJob } from "./meaning/index.ts";
import { sourceView } from "./knowledge.view.ts";

export const READ_TASK = "knowledge.read-file";
export const DELETE_FILE_TASK = "knowledge.delete-file";
export const knowledgeFolder = "knowledge";

type Changes = BodyOf<typeof knowledge.update>;

/** Sources by name, a page at a time. */
export async function listSources(ctx: Ctx, query: { readonly searchParam: string; readonly pageNumber: number }) {
  const { rows, count } = await searchSources(ctx, query);
  return { records: rows.map(sourceView), count, hasMore: query.pageNumber * pageSize.others < count };
}

export async function getSource(ctx: Ctx, id: number): Promise<KnowledgeSourceWithText> {
  const row = await presentSource(ctx, id);
  return { ...sourceView(row), text: row.kind === "text" ? await findSourceText(ctx, id) : "" };
}

/** Throws ERR_NAME_TAKEN, ERR_NOT_FOUND for a prompt, ERR_PLAN_LIMIT beyond `maxSources`. */
export async function createSource(ctx: Ctx, body: KnowledgeBody): Promise<KnowledgeSourceWithText> {
  const { kind, name, isForAll } = body;
  const { sources } = await countSources(ctx);
  if (sources >= knowledgeRules.maxSources) {
    throw new AppError("ERR_PLAN_LIMIT", { limit: knowledgeRules.maxSources });
  }
  const state = kind === "file" ? "empty" : "ready";
  const id = await refuseTaken(() => insertSource(ctx, { name, kind, state, is_for_all: isForAll, ...noFile }));
  await savePrompts(ctx, id, body.promptIds);
  if (kind === "text") {
    await saveText(ctx, id, body.text);
  }
  ctx.enqueue(embedJob(ctx.companyId));
  ctx.emit(knowledgeEvent("created", id));
  await recordAudit(ctx, {
    action: "knowledge.created",
    target: { type: "knowledge", id, name },
    details: { kind, isForAll },
  });
  return getSource(ctx, id);
}

/** Throws as `createSource`, ERR_NOT_FOUND, and ERR_VALIDATION for a text where the source is no page of text. */
export async function updateSource(ctx: Ctx, id: number, changes: Changes): Promise<KnowledgeSourceWithText> {
  await lockedSource(ctx, id);
  const before = await getSource(ctx, id);
  const { name, isForAll, promptIds, text } = changes;
  if (text && before.kind !== "text") {
    throw new AppError("ERR_VALIDATION", { fields: { text: "Only a page of text has one" } });
  }
  await refuseTaken(() =>
    saveSource(ctx, id, {
      ...(name !== undefined && { name }),
      ...(isForAll !== undefined && { is_for_all: isForAll }),
    }),
  );
  if (promptIds !== undefined) {
    await savePrompts(ctx, id, promptIds);
  }
  // One that had no room is tried again.
  if (text !== undefined && before.kind === "text" && (text !== before.text || before.state === "failed")) {
    await saveText(ctx, id, text);
  }
  ctx.enqueue(embedJob(ctx.companyId));
  ctx.emit(knowledgeEvent("updated", id));
  const after = await getSource(ctx, id);
  const details = changedFields(
    { name: before.name, isForAll: before.isForAll, text: before.text.length },
    { name: after.name, isForAll: after.isForAll, text: after.text.length },
  );
  if (details) {
    await recordAudit(ctx, {
      action: "knowledge.updated",
      target: { type: "knowledge", id, name: after.name },
      details,
    });
  }
  return after;
}

/** Has quick messages that changed found by what they mean soon, where a source has prompts read them. */
export async function embedQuickMessages(ctx: Ctx): Promise<void> {
  if (await readsQuickMessages(ctx)) {
    ctx.enqueue(embedJob(ctx.companyId));
  }
}

/** Deletes a source with its passages, and its file after the commit. */
export async function removeSource(ctx: Ctx, id: number): Promise<void> {
  await lockedSource(ctx, id);
  const { name, media_path: file } = await presentSource(ctx, id);
  await deleteSource(ctx, id);
  dropFile(ctx, file);
  ctx.enqueue(embedJob(ctx.companyId));
  ctx.emit(knowledgeEvent("deleted", id));
  await recordAudit(ctx, { action: "knowledge.deleted", target: { type: "knowledge", id, name } });
}

/**
 * Stores the file of a source, in the place of an earlier one, and has a job read it. Throws ERR_FILE_TYPE unless its bytes are a pdf,
 * a docx or plain text, ERR_FILE_TOO_LARGE beyond `maxFileBytes`, ERR_VALIDATION for an empty one.
 */
export async function uploadFile(
  scope: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload,
): Promise<KnowledgeSourceWithText> {
  const companyId = await scope.read(async (ctx) => {
    await presentFileSource(ctx, id);
    return ctx.companyId;
  });
  if (!(upload.contentType in knowledgeFileTypes)) {
    throw new AppError("ERR_FILE_TYPE", { name: upload.name });
  }
  if (upload.size > knowledgeRules.maxFileBytes) {
    throw new AppError("ERR_FILE_TOO_LARGE", { name: upload.name });
  }
  if (upload.size === 0) {
    throw new AppError("ERR_VALIDATION", { fields: { file: "The file is empty" } });
  }
  return withStoredUpload(storage, { companyId, folder: knowledgeFolder }, upload, (file) =>
    scope.inCompany(async (ctx) => {
      await lockedSource(ctx, id);
      const before = await presentFileSource(ctx, id);
      // What was read of the file before stays until this one is read.
      await saveSource(ctx, id, { ...file, state: "reading", failure: null });
      dropFile(ctx, before.media_path);
      ctx.enqueue({
        task: READ_TASK,
        payload: { sourceId: id, storageKey: file.media_path },
        lane: `knowledge:${companyId}`,
        priority: "bulk",
      });
      ctx.emit(knowledgeEvent("updated", id));
      const { media_name: name, media_size: size } = file;
      const target = { type: "knowledge", id, name: before.name } as const;
      await recordAudit(ctx, { action: "knowledge.updated", target, details: { file: name, size } });
      return getSource(ctx, id);
    }),
  );
}

/** What came of reading a file. */
export type Reading =
  | { readonly failure: NonNullable<KnowledgeSource["failure"]> }
  | { readonly passages: readonly Passage[]; readonly pages: number | null };

/** Saves what a job read of a file; nothing if it was replaced or deleted meanwhile. */
export async function saveReading(
  ctx: Ctx,
  { sourceId, storageKey }: { readonly sourceId: number; readonly storageKey: string },
  read: Reading,
): Promise<void> {
  if (!(await lockSource(ctx, sourceId)) || (await findSource(ctx, sourceId))?.media_path !== storageKey) {
    return;
  }
  if ("failure" in read) {
    await savePassages(ctx, sourceId, []);
    await saveSource(ctx, sourceId, { state: "failed", failure: read.failure, pages: null, passages: 0 });
  } else {
    await storePassages(ctx, sourceId, read.passages);
    await saveSource(ctx, sourceId, { pages: read.pages });
  }
  ctx.enqueue(embedJob(ctx.companyId));
  ctx.emit(knowledgeEvent("updated", sourceId));
}

/** Shows on the screen that these sources are found by meaning now. */
export async function tellEmbedded(inCompany: JobDeps["inCompany"], sourceIds: readonly number[]): Promise<void> {
  await inCompany((ctx) => {
    sourceIds.forEach((id) => ctx.emit(knowledgeEvent("updated", id)));
    return Promise.resolve();
  });
}

async function saveText(ctx: Ctx, id: number, text: string): Promise<void> {
  await saveSource(ctx, id, { body: text });
  await storePassages(ctx, id, splitIntoPassages(sectionsOfText(text)));
}

/** Stores the passages of a source, or says that the company has no room for them. */
async function storePassages(ctx: Ctx, id: number, passages: readonly Passage[]): Promise<void> {
  const others = await countSources(ctx, id);
  const isFull = others.passages + passages.length > knowledgeRules.maxPassages;
  await savePassages(ctx, id, isFull ? [] : passages);
  await saveSource(ctx, id, {
    state: isFull ? "failed" : "ready",
    failure: isFull ? "full" : null,
    passages: isFull ? 0 : passages.length,
  });
}

const noFile = { media_path: null, media_name: null, media_type: null, media_size: null, failure: null, pages: null };

async function savePrompts(ctx: Ctx, id: number, promptIds: readonly number[]): Promise<void> {
  try {
    await saveSourcePrompts(ctx, id, promptIds);
  } catch (error) {
    if (brokenConstraint(error) === "knowledge_source_prompts_prompt") {
      throw new AppError("ERR_NOT_FOUND", { promptIds }, { cause: error });
    }
    throw error;
  }
}

async function lockedSource(ctx: Ctx, id: number): Promise<void> {
  if (!(await lockSource(ctx, id))) {
    throw notFound(id);
  }
}

async function presentSource(ctx: Ctx, id: number): Promise<SourceRow> {
  const row = await findSource(ctx, id);
  if (!row) {
    throw notFound(id);
  }
  return row;
}

async function presentFileSource(ctx: Ctx, id: number): Promise<SourceRow> {
  const row = await presentSource(ctx, id);
  if (row.kind !== "file") {
    throw notFound(id);
  }
  return row;
}

function dropFile(ctx: Ctx, storageKey: string | null): void {
  if (storageKey !== null) {
    ctx.enqueue({ task: DELETE_FILE_TASK, payload: { storageKey }, priority: "bulk" });
  }
}

function knowledgeEvent(what: "created" | "updated" | "deleted", knowledgeId: number): DomainEvent {
  return { type: `knowledge.${what}`, payload: { knowledgeId } };
}

async function refuseTaken<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "knowledge_sources_name_taken") {
      throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}

function notFound(knowledgeId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { knowledgeId });
}
