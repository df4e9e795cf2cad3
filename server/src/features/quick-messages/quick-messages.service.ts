import { randomUUID } from "node:crypto";
import { pageSize } from "@prosa/contract";
import type { BodyOf, quickMessages } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { canChange, canUse } from "./quick-messages.policy.ts";
import {
  deleteQuickMessage,
  findQuickMessage,
  findSendable,
  insertQuickMessage,
  saveQuickMessage,
  searchQuickMessages,
} from "./quick-messages.queries.ts";
import type { QuickMessageRow } from "./quick-messages.queries.ts";

type NewQuickMessage = BodyOf<typeof quickMessages.create>;
type Changes = BodyOf<typeof quickMessages.update>;

/** Everybody's and one's own, by shortcode (O-01). */
export async function listQuickMessages(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await searchQuickMessages(ctx, authorOf(ctx), query);
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** What the composer suggests: everybody's and one's own, of those that are switched on (M-12). */
export async function sendableQuickMessages(ctx: Ctx): Promise<QuickMessageRow[]> {
  return findSendable(ctx, authorOf(ctx));
}

/** ERR_NOT_FOUND, also for another person's own one: that it exists is nobody's business. */
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
  ctx.emit(happened("created", row.id));
  return row;
}

/** Its author, or an admin; ERR_NO_PERMISSION else. */
export async function updateQuickMessage(ctx: Ctx, id: number, changes: Changes): Promise<QuickMessageRow> {
  await changeable(ctx, id);
  const row = await saveQuickMessage(ctx, id, withoutUndefined(changes));
  ctx.emit(happened("updated", id));
  return row;
}

/** Its author, or an admin. The file goes after the commit, so that no row ever points to nothing. */
export async function removeQuickMessage(edge: RequestScope, storage: Storage, id: number): Promise<void> {
  const before = await edge.inCompany(async (ctx) => {
    const row = await changeable(ctx, id);
    await deleteQuickMessage(ctx, id);
    ctx.emit(happened("deleted", id));
    return row;
  });
  await drop(storage, before.media_path);
}

/** Puts a file on it, in place of the one before. */
export async function attachFile(
  edge: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload,
): Promise<QuickMessageRow> {
  // Nobody fills our disk with files for what is not theirs.
  const { media_path: before, companyId } = await edge.read(async (ctx) => ({
    ...(await changeable(ctx, id)),
    companyId: ctx.companyId,
  }));
  const key = storageKey(companyId, "quick-messages", randomUUID());
  await storage.put(key, upload.stream(), { contentType: upload.contentType });
  try {
    const file = { media_path: key, media_name: upload.name, media_type: upload.contentType };
    const row = await edge.inCompany((ctx) => saveFile(ctx, id, file));
    await drop(storage, before);
    return row;
  } catch (error) {
    await drop(storage, key);
    throw error;
  }
}

/** Takes the file off. */
export async function detachFile(edge: RequestScope, storage: Storage, id: number): Promise<QuickMessageRow> {
  const { media_path: before } = await edge.read((ctx) => changeable(ctx, id));
  const row = await edge.inCompany((ctx) =>
    saveFile(ctx, id, { media_path: null, media_name: null, media_type: null }),
  );
  await drop(storage, before);
  return row;
}

async function saveFile(
  ctx: Ctx,
  id: number,
  file: Pick<QuickMessageRow, "media_path" | "media_name" | "media_type">,
): Promise<QuickMessageRow> {
  await changeable(ctx, id);
  const row = await saveQuickMessage(ctx, id, file);
  ctx.emit(happened("updated", id));
  return row;
}

async function changeable(ctx: Ctx, id: number): Promise<QuickMessageRow> {
  const row = await getQuickMessage(ctx, id);
  if (!canChange(ctx.actor, row)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return row;
}

async function drop(storage: Storage, key: string | null): Promise<void> {
  if (key !== null) {
    await storage.delete(key);
  }
}

function happened(what: "created" | "updated" | "deleted", quickMessageId: number): DomainEvent {
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
