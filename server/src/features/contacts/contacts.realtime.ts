import { wireName } from "@prosa/contract";
import { z } from "zod";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { findContacts } from "./contacts.queries.ts";
import { contactView } from "./contacts.view.ts";

const contactPayload = z.object({ contactId: z.number().int() });

export const publishContact =
  (action: "create" | "update", media: MediaLinks): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = [...new Set(batch.map(({ payload }) => contactPayload.parse(payload).contactId))];
    const rows = await read((ctx) => findContacts(ctx, ids));
    return rows.map((row) => ({
      rooms: [everybody],
      event: wireName(companyId, "contact"),
      payload: { action, contact: contactView(media, companyId, row) },
    }));
  };

export const publishContactDeleted: EventHandler = async (batch, { companyId }) =>
  batch.map(({ payload }) => ({
    rooms: [everybody],
    event: wireName(companyId, "contact"),
    payload: { action: "delete", contactId: contactPayload.parse(payload).contactId },
  }));

const importPayload = z.object({
  importId: z.number().int(),
  /** Null: the user was deleted meanwhile. */
  userId: z.number().int().nullable(),
  hasEnded: z.boolean(),
});

/** Publishes progress to the user who imports, and the end to everybody, because their lists have grown. */
export const publishImportProgress: EventHandler = async (batch, { companyId }) => {
  const latest = new Map(
    batch.map(({ payload }) => importPayload.parse(payload)).map((progress) => [progress.importId, progress]),
  );
  return [...latest.values()].map(({ importId, userId, hasEnded }) => {
    const importer = userId === null ? [] : [userRoom(userId)];
    return {
      rooms: hasEnded ? [everybody] : importer,
      event: wireName(companyId, "contactImport"),
      payload: { action: "changed", importId, hasEnded },
    };
  });
};
