import { randomUUID } from "node:crypto";
import { announcementImages, pageSize } from "@prosa/contract";
import type { AnnouncementBody, BodyOf, announcements } from "@prosa/contract";
import { operatorsOf } from "#server/features/users/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import type { Upload } from "#server/platform/http/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
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
import type { AnnouncementChanges, AnnouncementRow, AnnouncementImage } from "./announcements.queries.ts";

const noImage: AnnouncementImage = { media_path: null, media_name: null, media_type: null };

/** The newest first; the operator also sees those that are not active (O-05). */
export async function listAnnouncements(
  ctx: Ctx,
  { active, ...query }: { readonly searchParam: string; readonly pageNumber: number; readonly active: boolean },
) {
  const isActiveOnly = active || !isOperator(ctx.actor);
  const { rows, count } = await searchAnnouncements(ctx, { ...query, isActiveOnly });
  return { rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND, also for an inactive one that somebody else than the operator asks for. */
export async function getAnnouncement(ctx: Ctx, id: number): Promise<AnnouncementRow> {
  const [row] = await findAnnouncements(ctx, [id]);
  if (!row || !(row.status || isOperator(ctx.actor))) {
    throw notFound(id);
  }
  return row;
}

/** Tells it to every company. */
export async function announce(db: Db, body: AnnouncementBody): Promise<AnnouncementRow> {
  return db.systemTx(async (tx) => {
    const row = await insertAnnouncement(tx, { ...body, ...noImage });
    await tell(tx, "created", row.id);
    return row;
  });
}

export async function changeAnnouncement(
  db: Db,
  id: number,
  { title, text, priority, status }: BodyOf<typeof announcements.update>,
): Promise<AnnouncementRow> {
  const { row } = await db.systemTx((tx) =>
    change(tx, id, (known) => ({
      title: title ?? known.title,
      text: text ?? known.text,
      priority: priority ?? known.priority,
      status: status ?? known.status,
    })),
  );
  return row;
}

/** The image goes after the commit, so that no row ever points to nothing. */
export async function removeAnnouncement(db: Db, storage: Storage, id: number): Promise<void> {
  const known = await db.systemTx(async (tx) => {
    const row = await mustLock(tx, id);
    await deleteAnnouncement(tx, id);
    await tell(tx, "deleted", id);
    return row;
  });
  await drop(storage, known.media_path);
}

/** Puts an image on it, in place of the one before. ERR_FILE_TYPE for what is none, whatever its name says. */
export async function attachImage(
  { db, storage, companyId }: { readonly db: Db; readonly storage: Storage; readonly companyId: number },
  id: number,
  upload: Upload,
): Promise<AnnouncementRow> {
  if (!announcementImages.some((type) => type === upload.contentType)) {
    throw new AppError("ERR_FILE_TYPE", { name: upload.name });
  }
  const key = storageKey(companyId, "announcements", randomUUID());
  await storage.put(key, upload.stream(), { contentType: upload.contentType });
  try {
    const image = { media_path: key, media_name: upload.name, media_type: upload.contentType };
    return await saveImage(db, storage, id, image);
  } catch (error) {
    await drop(storage, key);
    throw error;
  }
}

/** Takes the image off. */
export async function detachImage(db: Db, storage: Storage, id: number): Promise<AnnouncementRow> {
  return saveImage(db, storage, id, noImage);
}

async function saveImage(db: Db, storage: Storage, id: number, image: AnnouncementImage): Promise<AnnouncementRow> {
  const { before, row } = await db.systemTx((tx) => change(tx, id, () => image));
  await drop(storage, before.media_path);
  return row;
}

async function change(tx: SystemTx, id: number, decide: (known: AnnouncementRow) => AnnouncementChanges) {
  const before = await mustLock(tx, id);
  const row = await saveAnnouncement(tx, id, decide(before));
  await tell(tx, "updated", id);
  return { before, row };
}

async function mustLock(tx: SystemTx, id: number): Promise<AnnouncementRow> {
  const row = await lockAnnouncement(tx, id);
  if (!row) {
    throw notFound(id);
  }
  return row;
}

async function tell(tx: SystemTx, what: "created" | "updated" | "deleted", id: number): Promise<void> {
  const operators = Map.groupBy(await operatorsOf(tx), ({ companyId }) => companyId);
  for (const companyId of await findCompanyIds(tx)) {
    const operatorIds = (operators.get(companyId) ?? []).map((operator) => operator.id);
    tx.emit(companyId, announcementEvent(what, id, operatorIds));
  }
}

async function drop(storage: Storage, key: string | null): Promise<void> {
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
