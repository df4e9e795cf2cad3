import { pageSize } from "@prosa/contract";
import type { BodyOf, quickMessages } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { canChange, canUse } from "./quick-messages.policy.ts";
import {
  deleteQuickMessage,
  deleteQuickMessages,
  findQuickMessage,
  findSendable,
  insertQuickMessage,
  lockQuickMessagesOf,
  saveQuickMessage,
  searchQuickMessages,
} from "./quick-messages.queries.ts";
import type { QuickMessageRow } from "./quick-messages.queries.ts";

type NewQuickMessage = BodyOf<typeof quickMessages.create>;
type Changes = BodyOf<typeof quickMessages.update>;

/** Is told in the transaction that quick messages are other ones now, or have other words. What reads them is above this feature. */
export type OnQuickMessagesChanged = (ctx: Ctx) => Promise<void>;

/** General quick messages and the user's own, by shortcode (O-01). */
export async function listQuickMessages(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await searchQuickMessages(ctx, authorOf(ctx), query);
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** The suggestions of the composer: active ones that are general or the user's own (M-12). */
export async function sendableQuickMessages(ctx: Ctx): Promise<QuickMessageRow[]> {
  return findSendable(ctx, authorOf(ctx));
}

/** ERR_NOT_FOUND, also for another user's personal one: its existence is not disclosed. */
export async function getQuickMessage(ctx: Ctx, id: number): Promise<QuickMessageRow> {
  const row = await findQuickMessage(ctx, id);
  if (!row || !canUse(ctx.actor, row)) {
    throw new AppError("ERR_NOT_FOUND", { quickMessageId: id });
  }
  return row;
}

export async function createQuickMessage(ctx: Ctx, body: NewQuickMessage): Promise<QuickMessageRow> {
  const row = await insertQuickMessage(ctx, {
    ...body,
    user_id: authorOf(ctx),
    media_path: null,
    media_name: null,
    media_type: null,
  });
  ctx.emit(quickMessageEvent("created", row.id));
  return row;
}

/**
 * ERR_NO_PERMISSION unless the actor is its author or an admin. One whose author was deleted, and that becomes personal, is the
 * actor's from then on: nobody else would find it.
 */
export async function updateQuickMessage(ctx: Ctx, id: number, changes: Changes): Promise<QuickMessageRow> {
  const before = await findChangeable(ctx, id);
  const isGeneral = changes.geral ?? before.geral;
  const row = await saveQuickMessage(ctx, id, {
    ...withoutUndefined(changes),
    ...(!isGeneral && before.user_id === null && { user_id: authorOf(ctx) }),
  });
  ctx.emit(quickMessageEvent("updated", id));
  return row;
}

/** Deletes it, and its file after the commit: no row ever refers to a deleted file. */
export async function removeQuickMessage(
  scope: RequestScope,
  storage: Storage,
  id: number,
  onChanged: OnQuickMessagesChanged,
): Promise<void> {
  const before = await scope.inCompany(async (ctx) => {
    const row = await findChangeable(ctx, id);
    await deleteQuickMessage(ctx, id);
    ctx.emit(quickMessageEvent("deleted", id));
    await onChanged(ctx);
    return row;
  });
  await deleteFile(storage, before.media_path);
}

/**
 * For a user who is being deleted: general ones stay, without an author, and personal ones go. Their files go with the nightly
 * sweep, which finds that no row refers to them. Call it when nobody can add one of this user any more.
 */
export async function releaseQuickMessages(ctx: Ctx, userId: number): Promise<void> {
  const own = await lockQuickMessagesOf(ctx, userId);
  const personal = own.flatMap(({ id, geral }) => (geral ? [] : [id]));
  await deleteQuickMessages(ctx, personal);
  for (const { id, geral } of own) {
    // The author of a general one is removed by its foreign key.
    ctx.emit(quickMessageEvent(geral ? "updated" : "deleted", id));
  }
}

/** Attaches a file, which replaces an earlier one. */
export async function attachFile(
  scope: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload,
): Promise<QuickMessageRow> {
  // Check the right first: nobody may fill the disk with files for others' quick messages.
  const { media_path: before, companyId } = await scope.read(async (ctx) => ({
    ...(await findChangeable(ctx, id)),
    companyId: ctx.companyId,
  }));
  const place = { companyId, folder: "quick-messages" };
  const row = await withStoredUpload(storage, place, upload, ({ media_path, media_name, media_type }) => {
    // Specification 2, section 5: spaces become underscores.
    const file = { media_path, media_name: media_name.replaceAll(" ", "_"), media_type };
    return scope.inCompany((ctx) => saveFile(ctx, id, file));
  });
  await deleteFile(storage, before);
  return row;
}

/** Removes the attached file. */
export async function detachFile(scope: RequestScope, storage: Storage, id: number): Promise<QuickMessageRow> {
  const { media_path: before } = await scope.read((ctx) => findChangeable(ctx, id));
  const row = await scope.inCompany((ctx) =>
    saveFile(ctx, id, { media_path: null, media_name: null, media_type: null }),
  );
  await deleteFile(storage, before);
  return row;
}

async function saveFile(
  ctx: Ctx,
  id: number,
  file: Pick<QuickMessageRow, "media_path" | "media_name" | "media_type">,
): Promise<QuickMessageRow> {
  await findChangeable(ctx, id);
  const row = await saveQuickMessage(ctx, id, file);
  ctx.emit(quickMessageEvent("updated", id));
  return row;
}

async function findChangeable(ctx: Ctx, id: number): Promise<QuickMessageRow> {
  const row = await getQuickMessage(ctx, id);
  if (!canChange(ctx.actor, row)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return row;
}

async function deleteFile(storage: Storage, key: string | null): Promise<void> {
  if (key !== null) {
    await storage.delete(key);
  }
}

function quickMessageEvent(what: "created" | "updated" | "deleted", quickMessageId: number): DomainEvent {
  return { type: `quickMessage.${what}`, payload: { quickMessageId } };
}

function authorOf({ actor }: Ctx): number | null {
  return actor.kind === "user" ? actor.userId : null;
}

function withoutUndefined({ shortcode, message, geral, status }: Changes) {
  return {
    ...(shortcode !== undefined && { shortcode }),
    ...(message !== undefined && { message }),
    ...(geral !== undefined && { geral }),
    ...(status !== undefined && { status }),
  };
}
