import { campaignRules, pageSize } from "@prosa/contract";
import type { BodyOf, CampaignBody, campaigns } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findRequested } from "#server/platform/db/index.ts";
import { campaignEvent } from "../campaigns.events.ts";
import {
  awaitsImport,
  endImportWait,
  findCampaign,
  findLineIds,
  lockCampaign,
  searchCampaigns,
} from "../campaigns.queries.ts";
import type { CampaignRow, StoredCampaign } from "../campaigns.queries.ts";
import { editableParts, stateAfter } from "../campaigns.state.ts";
import { enqueueStart } from "../campaigns.jobs.ts";
import { checkReferences, deleteCampaign, insertCampaign, saveCampaign, saveLines } from "./edit.queries.ts";
import type { CampaignFields } from "./edit.queries.ts";
import { requireComplete } from "./require-complete.ts";

type Changes = BodyOf<typeof campaigns.update>;

/** Campaigns, the newest first (K-03). */
export async function listCampaigns(ctx: Ctx, query: { readonly searchParam: string; readonly pageNumber: number }) {
  const { rows, count } = await searchCampaigns(ctx, query);
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/**
 * Adds a campaign, inactive or scheduled. Returns the first one, as it is now, for a request that is sent again. ERR_VALIDATION where
 * a scheduled one lacks something, ERR_NO_WAPP_FOUND and ERR_NOT_FOUND for what is not the company's.
 */
export async function createCampaign(
  ctx: Ctx,
  body: CampaignBody & { readonly clientId?: string | undefined },
): Promise<CampaignRow> {
  const requestId = body.clientId ?? null;
  const known = await findRequested(ctx, "campaigns", requestId);
  if (known !== undefined) {
    return findCampaign(ctx, known);
  }
  const draft = draftOf(body);
  const fields = await fieldsOf(ctx, draft, { status: "INATIVA", media_path: null });
  const id = await insertCampaign(ctx, { ...fields, user_id: userIdOf(ctx), request_id: requestId });
  if (id === undefined) {
    // The same request, which another process handled meanwhile.
    return findCampaign(ctx, (await findRequested(ctx, "campaigns", requestId)) ?? 0);
  }
  await saveLines(ctx, id, draft.connectionIds);
  await recordCreated(ctx, id, draft.name);
  return saved(ctx, id, fields, "created");
}

/**
 * Changes a campaign: all of it while it is inactive, starts in more than an hour or waits for an import, the texts of a cancelled one,
 * whose other fields stay as they are. ERR_CAMPAIGN_NOT_EDITABLE (specification 2 section 4), and as `createCampaign`.
 */
export async function updateCampaign(ctx: Ctx, id: number, changes: Changes): Promise<CampaignRow> {
  const stored = await lockCampaign(ctx, id);
  const parts = await editablePartsOf(ctx, stored);
  const lineIds = await findLineIds(ctx, id);
  if (parts === "nothing") {
    throw notEditable(stored);
  }
  if (parts === "texts") {
    return updateCancelled(ctx, stored, lineIds, changes);
  }
  const draft = changed(stored, lineIds, changes);
  const fields = await fieldsOf(ctx, draft, stored);
  await saveCampaign(ctx, id, fields);
  await saveLines(ctx, id, draft.connectionIds);
  if (changes.scheduledAt !== undefined || changes.contactListId !== undefined) {
    // What becomes of the import that it waited for decides no more.
    await endImportWait(ctx, id);
  }
  return saved(ctx, id, fields, "updated");
}

/** One whose lines were all deleted may get others, because it cannot be restarted without. */
async function updateCancelled(
  ctx: Ctx,
  stored: StoredCampaign,
  lineIds: readonly number[],
  changes: Changes,
): Promise<CampaignRow> {
  const draft = changed(stored, lineIds, changes);
  const { messages, confirmationMessages, connectionIds } = draft;
  if (lineIds.length === 0) {
    await requireReferences(ctx, { ...draft, contactListId: null, tagId: null, fileListId: null });
    await saveLines(ctx, stored.id, connectionIds);
  }
  const texts = { messages: withoutBlank(messages), confirmation_messages: withoutBlank(confirmationMessages) };
  requireComplete({ ...stored, ...texts }, lineIds.length === 0 ? connectionIds : lineIds, "message");
  await saveCampaign(ctx, stored.id, texts);
  ctx.emit(campaignEvent("updated", stored.id));
  return findCampaign(ctx, stored.id);
}

/** An inactive copy with the same file, without time and results. */
export async function cloneCampaign(ctx: Ctx, id: number): Promise<CampaignRow> {
  const { id: _id, started_at: _startedAt, ...stored } = await lockCampaign(ctx, id);
  const fields = { ...stored, status: "INATIVA", scheduled_at: null } as const;
  // Without a request it is always a new one.
  const copy = (await insertCampaign(ctx, { ...fields, user_id: userIdOf(ctx), request_id: null }))!;
  await saveLines(ctx, copy, await findLineIds(ctx, id));
  await recordCreated(ctx, copy, stored.name, id);
  ctx.emit(campaignEvent("created", copy));
  return findCampaign(ctx, copy);
}

/** Deletes it with its results; what was sent stays in the conversations. ERR_CAMPAIGN_RUNNING. Returns the key of its file. */
export async function removeCampaign(ctx: Ctx, id: number): Promise<string | null> {
  const { name, status, media_path: file } = await lockCampaign(ctx, id);
  if (status === "EM_ANDAMENTO") {
    throw new AppError("ERR_CAMPAIGN_RUNNING", { campaignId: id });
  }
  await deleteCampaign(ctx, id);
  await recordAudit(ctx, { action: "campaign.deleted", target: { type: "campaign", id, name } });
  ctx.emit(campaignEvent("deleted", id));
  return file;
}

/** Locks one of which everything may be changed. ERR_CAMPAIGN_NOT_EDITABLE. */
export async function lockEditable(ctx: Ctx, id: number): Promise<StoredCampaign> {
  const stored = await lockCampaign(ctx, id);
  if ((await editablePartsOf(ctx, stored)) !== "all") {
    throw notEditable(stored);
  }
  return stored;
}

async function editablePartsOf(ctx: Ctx, { id, status, scheduled_at: scheduledAt }: StoredCampaign) {
  return editableParts({ status, scheduledAt, awaitsImport: await awaitsImport(ctx, id) }, ctx.now());
}

function userIdOf(ctx: Ctx): number | null {
  return ctx.actor.kind === "user" ? ctx.actor.userId : null;
}

function notEditable({ id, status }: StoredCampaign): AppError {
  return new AppError("ERR_CAMPAIGN_NOT_EDITABLE", { campaignId: id, status });
}

/** What was written, in the terms of the table. */
interface Draft {
  readonly name: string;
  readonly confirmation: boolean;
  readonly messages: string[];
  readonly confirmationMessages: string[];
  readonly scheduledAt: Date | null;
  readonly connectionIds: readonly number[];
  readonly contactListId: number | null;
  readonly tagId: number | null;
  readonly fileListId: number | null;
}

const variants = Array.from({ length: campaignRules.variants }, (_, index) => index);
type VariantKey<P extends "message" | "confirmationMessage"> = `${P}${1 | 2 | 3 | 4 | 5}`;
const keyOf = <P extends "message" | "confirmationMessage">(prefix: P, index: number) =>
  `${prefix}${index + 1}` as VariantKey<P>;

function draftOf(body: CampaignBody): Draft {
  const { name, confirmation, scheduledAt, whatsappId, whatsappIds, contactListId, tagListId, fileListId } = body;
  return {
    name,
    confirmation,
    messages: variants.map((index) => body[keyOf("message", index)]),
    confirmationMessages: variants.map((index) => body[keyOf("confirmationMessage", index)]),
    scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
    connectionIds: uniqueLines(whatsappId, whatsappIds),
    contactListId,
    tagId: tagListId,
    fileListId,
  };
}

/** The stored campaign with the changes; absent ones stay. */
function changed(stored: StoredCampaign, lineIds: readonly number[], changes: Changes): Draft {
  const { scheduledAt, whatsappId, whatsappIds, contactListId, tagListId, fileListId } = changes;
  const [first = null, ...others] = lineIds;
  return {
    name: changes.name ?? stored.name,
    confirmation: changes.confirmation ?? stored.confirmation,
    messages: variants.map((index) => changes[keyOf("message", index)] ?? stored.messages[index] ?? ""),
    confirmationMessages: variants.map(
      (index) => changes[keyOf("confirmationMessage", index)] ?? stored.confirmation_messages[index] ?? "",
    ),
    scheduledAt: scheduledAt === undefined ? stored.scheduled_at : scheduledAt === null ? null : new Date(scheduledAt),
    connectionIds: uniqueLines(whatsappId === undefined ? first : whatsappId, whatsappIds ?? others),
    contactListId: contactListId === undefined ? stored.contact_list_id : contactListId,
    tagId: tagListId === undefined ? stored.tag_id : tagListId,
    fileListId: fileListId === undefined ? stored.file_list_id : fileListId,
  };
}

function uniqueLines(first: number | null, others: readonly number[]): number[] {
  return [...new Set([...(first === null ? [] : [first]), ...others])];
}

/** The columns of a draft. A time that is over is now: the campaign starts at once. */
async function fieldsOf(
  ctx: Ctx,
  draft: Draft,
  stored: Pick<StoredCampaign, "status" | "media_path">,
): Promise<CampaignFields> {
  await requireReferences(ctx, draft);
  const { name, confirmation, messages, confirmationMessages, contactListId, tagId, fileListId } = draft;
  if (contactListId !== null && tagId !== null) {
    throw new AppError("ERR_VALIDATION", { fields: { tagListId: "A list or a tag" } });
  }
  const now = ctx.now();
  const scheduledAt = draft.scheduledAt && draft.scheduledAt < now ? now : draft.scheduledAt;
  const fields = {
    name,
    confirmation,
    messages: withoutBlank(messages),
    confirmation_messages: withoutBlank(confirmationMessages),
    scheduled_at: scheduledAt,
    contact_list_id: contactListId,
    tag_id: tagId,
    file_list_id: fileListId,
    status: stateAfter(stored.status, scheduledAt === null ? "unschedule" : "schedule") ?? stored.status,
  };
  if (scheduledAt !== null) {
    requireComplete({ ...fields, media_path: stored.media_path }, draft.connectionIds);
  }
  return fields;
}

/** A text of blanks alone is none: it is never sent. */
function withoutBlank(texts: readonly string[]): string[] {
  return texts.map((text) => (isBlank(text) ? "" : text));
}

async function requireReferences(ctx: Ctx, draft: Draft): Promise<void> {
  const found = await checkReferences(ctx, draft);
  if (!found.hasLines) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  if (!found.hasAudience || !found.hasFileList) {
    throw new AppError("ERR_NOT_FOUND");
  }
}

async function recordCreated(ctx: Ctx, id: number, name: string, copyOf?: number): Promise<void> {
  await recordAudit(ctx, {
    action: "campaign.created",
    target: { type: "campaign", id, name },
    ...(copyOf !== undefined && { details: { copyOf } }),
  });
}

async function saved(
  ctx: Ctx,
  id: number,
  { status, scheduled_at: scheduledAt }: CampaignFields,
  what: "created" | "updated",
): Promise<CampaignRow> {
  if (status === "PROGRAMADA" && scheduledAt !== null) {
    enqueueStart(ctx, id, scheduledAt);
  }
  ctx.emit(campaignEvent(what, id));
  return findCampaign(ctx, id);
}
