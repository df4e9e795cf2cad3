import { announcementImages, pageSize } from "@prosa/contract";
import type { AnnouncementBody, BodyOf, announcements } from "@prosa/contract";
import { listOperators } from "#server/features/users/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import type { Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { announcementEvent } from "./announcements.events.ts";
import {
  deleteAnnouncement,
  findAnnouncements,
  findCompanyIds,
  insertAnnouncement,
  lockAnnouncement,
  saveAnnouncement,
  searchAnnouncements,
} from "./announcements.queries.ts";
import type { AnnouncementChanges, AnnouncementImage, AnnouncementRow } from "./announcements.queries.ts";

const noImage: AnnouncementImage = { media_path: null, media_name: null, media_type: null };

/** The newest first; operators also see inactive ones (O-05). */
export async function listAnnouncements(
  ctx: Ctx,
  { active, ...query }: { readonly searchParam: string; readonly pageNumber: number; readonly active: boolean },
) {
  const isActiveOnly = active || !isOperator(ctx.actor);
  const { rows, count } = await searchAnnouncements(ctx, { ...query, isActiveOnly });
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND, for users who are no operators also for an inactive one. */
export async function getAnnouncement(ctx: Ctx, id: number): Promise<AnnouncementRow> {
  const [row] = await findAnnouncements(ctx, [id]);
  if (!row || !(row.status || isOperator(ctx.actor))) {
    throw notFound(id);
  }
  return row;
}

/** Creates an announcement and publishes it in all companies. */
export async function announce(tx: SystemTx, body: AnnouncementBody): Promise<AnnouncementRow> {
  const row = await insertAnnouncement(tx, { ...body, ...noImage });
  await emitToAllCompanies(tx, "created", row.id);
  return row;
}

export async function changeAnnouncement(
  db: Db,
  id: number,
  { title, text, priority, status }: BodyOf<typeof announcements.update>,
): Promise<AnnouncementRow> {
  const { row } = await db.systemTx((tx) =>
    change(tx, id, (stored) => ({
      title: title ?? stored.title,
      text: text ?? stored.text,
      priority: priority ?? stored.priority,
      status: status ?? stored.status,
    })),
  );
  return row;
}

/** Deletes it, and its image after the commit: no row ever refers to a deleted file. */
export async function removeAnnouncement(db: Db, storage: Storage, id: number): Promise<void> {
  const deleted = await db.systemTx(async (tx) => {
    const row = await mustLock(tx, id);
    await deleteAnnouncement(tx, id);
    await emitToAllCompanies(tx, "deleted", id);
    return row;
  });
  await deleteFile(storage, deleted.media_path);
}

/** Attaches an image, which replaces an earlier one. ERR_FILE_TYPE for files that are no images, whatever their names. */
export async function attachImage(
  { db, storage, companyId }: { readonly db: Db; readonly storage: Storage; readonly companyId: number },
  id: number,
  upload: Upload,
): Promise<AnnouncementRow> {
  if (!announcementImages.some((type) => type === upload.contentType)) {
    throw new AppError("ERR_FILE_TYPE", { name: upload.name });
  }
  const { before, row } = await withStoredUpload(
    storage,
    { companyId, folder: "announcements" },
    upload,
    ({ media_path, media_name, media_type }) => saveImage(db, id, { media_path, media_name, media_type }),
  );
  await deleteFile(storage, before.media_path);
  return row;
}

/** Removes the image. */
export async function detachImage(db: Db, storage: Storage, id: number): Promise<AnnouncementRow> {
  const { before, row } = await saveImage(db, id, noImage);
  await deleteFile(storage, before.media_path);
  return row;
}

function saveImage(db: Db, id: number, image: AnnouncementImage) {
  return db.systemTx((tx) => change(tx, id, () => image));
}

async function change(tx: SystemTx, id: number, decide: (stored: AnnouncementRow) => AnnouncementChanges) {
  const before = await mustLock(tx, id);
  const row = await saveAnnouncement(tx, id, decide(before));
  await emitToAllCompanies(tx, "updated", id);
  return { before, row };
}

async function mustLock(tx: SystemTx, id: number): Promise<AnnouncementRow> {
  const row = await lockAnnouncement(tx, id);
  if (!row) {
    throw notFound(id);
  }
  return row;
}

async function emitToAllCompanies(tx: SystemTx, what: "created" | "updated" | "deleted", id: number): Promise<void> {
  const operators = Map.groupBy(await listOperators(tx), ({ companyId }) => companyId);
  for (const companyId of await findCompanyIds(tx)) {
    const operatorIds = (operators.get(companyId) ?? []).map((operator) => operator.id);
    tx.emit(companyId, announcementEvent(what, id, operatorIds));
  }
}

async function deleteFile(storage: Storage, key: string | null): Promise<void> {
  if (key !== null) {
    await storage.delete(key);
  }
}

function isOperator(actor: Actor): boolean {
  return actor.kind === "user" && actor.isSuper;
}

function notFound(announcementId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { announcementId });
}
